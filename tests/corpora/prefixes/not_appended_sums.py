# refuse: the list that is walked grows, the place is read afterwards, or a part is left out


def grows(xs: list[float]):
    for i in range(len(xs)):
        xs.append(sum(xs[: i + 1]))
    return xs


def place(xs: list[float]):
    out = []
    for i in range(len(xs)):
        out.append(sum(xs[: i + 1]))
    return out, i


def windows(xs: list[float]):
    out = []
    for i in range(len(xs)):
        out.append(sum(xs[1 : i + 1]))
    return out


def half(xs: list[float]):
    out = []
    for i in range(len(xs) // 2):
        out.append(sum(xs[: i + 1]))
    return out


def cases(rng):
    for name in ("grows", "place", "windows", "half"):
        yield name, (rng.normal(size=5).tolist(),), {}
