# refuse: RED503 the function around it changes the table between two calls


def twice(table):
    def best(i: int) -> int:
        if i >= len(table):
            return 0
        return max(best(i + 1), table[i] + best(i + 2))

    first = best(0)
    table[0] += 10
    return first, best(0)


def cases(rng):
    yield "twice", ([3, 1, 4, 1],), {}
