# expect: RED501 safe scope=standardised
# expect: RED501 safe scope=shares
# expect: RED501 safe scope=squares
# expect: RED501 safe scope=below
# expect: RED501 safe scope=known
# expect: RED501 safe scope=sizes
# expect: RED501 unsafe scope=of_the_rest
import numpy as np


def standardised(v: list[float]):
    return [(x - min(v)) / 2 for x in v]


def shares(xs):
    return {i: x / max(xs) for i, x in enumerate(xs)}


def squares(xs: tuple[float, ...]):
    s = 0.0
    for i in range(len(xs)):
        mean = sum(xs) / len(xs)
        s += (xs[i] - mean) ** 2
    return s


def below(xs: np.ndarray, k: int):
    at, found = 0, []
    while at < len(xs):
        found.append(float(np.max(xs) - xs[at]))
        at += k
    return found


def known(words: list[str], stop: list[str]):
    return [word for word in words if word not in set(stop)]


def sizes(groups: dict[str, int]):
    total = 0.0
    for name in groups:
        total += groups[name] / max(groups.values())
    return total


def of_the_rest(xs: list[float]):
    return [x - max(xs) for x in xs[1:]]


def cases(rng):
    for n in (0, 1, 2, 5):
        values = [float(v) for v in rng.standard_normal(n)]
        for name in ("standardised", "shares", "of_the_rest"):
            yield name, (values,), {}
        yield "squares", (tuple(values),), {}
        yield "below", (np.array(values), 2), {}
        yield "known", (["a", "b", "c"][:n], ["b"]), {}
        yield "known", (["a", "b", "c"][:n], []), {}
        yield "sizes", ({str(v): 1 + abs(v) for v in values},), {}
