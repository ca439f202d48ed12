# refuse: ASC114 the step that is kept reads what the loop counts


def moved(state: int, n: int):
    for i in range(n):
        i = i + 1
        state = (1103515245 * state + 12345) % 2**31
    return state


def cases(rng):
    for n in (0, 1, 40):
        yield "moved", (7, n), {}
