# expect: ASC114 safe scope=chance
import math


def chance(p: float, trials: int) -> float:
    return 1 - math.prod([1 - p] * trials)


def cases(rng):
    for trials in (0, 1, 2, 30):
        yield "chance", (0.25, trials), {}
