# refuse: nothing says that the elements are numbers
def combine(parts, start):
    result = start
    for part in parts:
        result = result + part
    return result


def cases(rng):
    yield "combine", ([1, 2], 0), {}
    yield "combine", (["x", "y"], ""), {}
    yield "combine", ([(1,), (2, 3)], ()), {}
