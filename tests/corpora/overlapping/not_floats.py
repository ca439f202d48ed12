# refuse: RED503 numbers of floating point that are equal need not be alike


def folded(x: float) -> float:
    if x <= 0.0:
        return x
    return folded(x - 1.0) + folded(x - 2.0)


def cases(rng):
    yield "lambda: (folded(0.0), folded(-0.0), folded(3.5))", (), {}
