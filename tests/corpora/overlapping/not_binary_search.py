# refuse: RED503 one call of each way through the function


def find(items: tuple, wanted: int, low: int, high: int) -> int:
    if low >= high:
        return -1
    middle = (low + high) // 2
    if items[middle] == wanted:
        return middle
    if items[middle] < wanted:
        return find(items, wanted, middle + 1, high)
    return find(items, wanted, low, middle)


def cases(rng):
    yield "find", ((1, 3, 5, 7), 5, 0, 4), {}
