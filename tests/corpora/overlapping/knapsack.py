# expect: RED503 safe scope=knapsack.best


def knapsack(weights, values, capacity):
    count = len(weights)

    def best(i: int, room: int) -> int:
        if i == count:
            return 0
        skipped = best(i + 1, room)
        if weights[i] > room:
            return skipped
        left = room - weights[i]
        return max(skipped, values[i] + best(i + 1, left))

    return best(0, capacity)


def cases(rng):
    yield "knapsack", ([3, 4, 2, 3], [5, 6, 3, 4], 8), {}
    yield "knapsack", ([], [], 0), {}
