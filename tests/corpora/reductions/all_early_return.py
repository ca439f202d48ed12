# may: ASC106 safe scope=is_sorted
def is_sorted(keys: list[int]) -> bool:
    for i in range(len(keys) - 1):
        if keys[i] > keys[i + 1]:
            return False
    return True


def cases(rng):
    yield "is_sorted", ([],), {}
    yield "is_sorted", ([1, 2, 2, 9],), {}
    yield "is_sorted", ([1, 3, 2],), {}
