# refuse: RED501 what the functions read is changed in the loop, or they do more than compute
import math
import random

RATE = 0.1
SEEN = [1.0]
ASKED: list[float] = []


def of_rate(t: float) -> float:
    return math.exp(-RATE * t)


def of_seen(t: float) -> float:
    return math.exp(-sum(SEEN) * t)


def noted(t: float) -> float:
    ASKED.append(t)
    return math.exp(-t)


def drawn(t: float) -> float:
    return random.gauss(0.0, t)


def raised(xs: list[float], t: float) -> float:
    global RATE
    RATE, s = 0.1, 0.0
    for x in xs:
        s += x * of_rate(t)
        RATE += 0.1
    return s


def grown(xs: list[float], t: float) -> float:
    SEEN[:] = [1.0]
    s = 0.0
    for x in xs:
        s += x * of_seen(t)
        SEEN.append(x)
    return s


def counted(xs: list[float], t: float) -> tuple[float, int]:
    ASKED.clear()
    s = 0.0
    for x in xs:
        s += x * noted(t)
    return s, len(ASKED)


def noisy(xs: list[float], t: float) -> float:
    s = 0.0
    for x in xs:
        s += x * drawn(t)
    return s


def sometimes(xs: list[float], t: float) -> float:
    s = 0.0
    for x in xs:
        if x > 5:
            s += of_rate(math.sqrt(t))
        s += x
    return s


def cases(rng):
    values = [float(v) for v in rng.standard_normal(4)]
    for name in ("raised", "grown", "counted", "noisy"):
        yield name, (values, 0.5), {}
    yield "sometimes", (values, -1.0), {}
