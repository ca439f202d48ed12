# refuse: RED503 the script gives it a list, which cannot be hashed


def best(items: tuple[int, ...], i: int, room: int) -> int:
    if i < 0 or room == 0:
        return 0
    if items[i] > room:
        return best(items, i - 1, room)
    return max(best(items, i - 1, room), items[i] + best(items, i - 1, room - items[i]))


def total(items):
    return sum(items)


items = [1, 2, 3]
print(best(items, 2, 4), total(items))


def cases(rng):
    yield "lambda: (best(items, 2, 4), total(items))", (), {}
