# refuse: empties the list of the caller
def drain(queue: list[float]) -> float:
    total = 0.0
    while queue:
        total += queue.pop()
    return total


def cases(rng):
    yield "drain", ([1.0, 2.5, 4.0],), {}
