# refuse: the text of the expression is printed
def longest(xs: list[float]):
    return f"{sorted(xs)[-1]=}"


def cases(rng):
    yield "longest", ([1.0, 3.0, 2.0],), {}
