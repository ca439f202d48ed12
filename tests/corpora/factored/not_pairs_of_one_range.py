# refuse: SEP201 a term is not linear in the earlier of two, or other pairs are walked


def apart(xs):
    total = 0.0
    for i in range(len(xs)):
        for j in range(i + 1, len(xs)):
            total += abs(xs[i] - xs[j])
    return total


def without_neighbours(xs):
    total = 0.0
    for i in range(len(xs)):
        for j in range(i + 2, len(xs)):
            total += xs[i] * xs[j]
    return total


def below_a_product(xs):
    total = 0.0
    for i in range(len(xs)):
        for j in range(i + 1, len(xs)):
            total += 1 / (xs[i] * xs[j])
    return total


def of_two_lists(xs, ys):
    total = 0.0
    for i, x in enumerate(xs):
        for y in ys[i + 1 :]:
            total += x * y
    return total


def all_but_itself(xs):
    total = 0.0
    for i in range(len(xs)):
        for j in range(len(xs)):
            if i != j:
                total += xs[i] * xs[j]
    return total


def raised(xs):
    total = 0.0
    for i in range(len(xs)):
        for j in range(i + 1, len(xs)):
            total += xs[i] * xs[j] ** i
    return total


def cases(rng):
    xs, ys = rng.random((2, 6)).tolist()
    for name in ("apart", "without_neighbours", "below_a_product", "all_but_itself", "raised"):
        yield name, (xs,), {}
    yield "of_two_lists", (xs, ys), {}
