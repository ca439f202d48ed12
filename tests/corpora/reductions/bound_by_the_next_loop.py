# expect: ASC106 safe scope=nothing_read
# expect: ASC106 safe scope=surely_a_step
# expect: ASC106 safe scope=read_within
# expect: ASC106 safe scope=bound_anew
# expect: ASC106 safe scope=bound_at_each_step
# expect: ASC101 safe scope=over_the_same_range
import torch


def nothing_read(xs: list[float], ys: list[float]):
    s, seen = 0, []
    for x in xs:
        s += x
    for x in ys:
        seen.append(str(x))
    return s, seen


def surely_a_step(xs: list[float], ys: list[float]):
    s, seen = 0, []
    for x in xs:
        s += x
    for x in (1, 2):
        seen.append(str(x))
    return s, seen, x


def read_within(xs: list[float], ys: list[float]):
    s, seen = 0, []
    for x in xs:
        s += x
    for x in ys:
        seen.append(str(x))
    if s:
        for x in ys:
            seen.append(x + s)
    return s, seen, [x for x in ys], (lambda x: x)(s)


def bound_anew(xs: list[float], ys: list[float]):
    s = 0
    for x in xs:
        s += x
    x = 3
    for x in ys:
        print(x)
    return s, x


def bound_at_each_step(xs: list[float], ys: list[float]):
    x, totals = None, []
    for y in ys:
        s = 0
        for x in xs:
            s += x
        if s > y:
            print(s)
        x = 5
        totals.append(s)
    return totals, x


def over_the_same_range(x: torch.Tensor, a: float):
    steps = x.shape[0]
    h = torch.zeros(x.shape[1])
    for t in range(steps):
        h = a * h + x[t]
    for t in range(steps):
        h = h + torch.tanh(h * x[t])
    return h, t


def cases(rng):
    for name in (
        "nothing_read",
        "surely_a_step",
        "read_within",
        "bound_anew",
        "bound_at_each_step",
    ):
        for ys in ([], [4.0], [1.0, 2.0]):
            yield name, ([1.0, 3.0, 2.0], ys), {}
    for n in (1, 2, 5):
        yield "over_the_same_range", (torch.tensor(rng.standard_normal((n, 2))), 0.5), {}
