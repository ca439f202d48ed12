# refuse: stops when the running total passes a limit
def fill_batch(lengths: list[int], budget: int):
    total = 0
    taken = 0
    for n in lengths:
        if total + n > budget:
            break
        total += n
        taken += 1
    return total, taken


def cases(rng):
    yield "fill_batch", ([3, 9, 4, 8, 2], 17), {}
    yield "fill_batch", ([3, 9], 170), {}
