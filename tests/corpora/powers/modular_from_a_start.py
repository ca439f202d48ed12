# expect: ASC114 safe scope=evolve
def evolve(seed: int, steps: int) -> int:
    state = seed
    for _ in range(steps):
        state = state * 16807 % 2147483647
    return state


def cases(rng):
    for seed, steps in ((1, 0), (42, 1), (42, 1000), (-5, 3)):
        yield "evolve", (seed, steps), {}
