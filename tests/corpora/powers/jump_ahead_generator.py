# expect: ASC114 safe scope=jump
def jump(state: int, n: int) -> int:
    for _ in range(n):
        state = (1103515245 * state + 12345) % 2**31
    return state


def cases(rng):
    for state, n in ((1, 0), (7, 1), (7, 2), (123, 997), (-1, 1), (2**40, 1), (2**40, 5)):
        yield "jump", (state, n), {}
