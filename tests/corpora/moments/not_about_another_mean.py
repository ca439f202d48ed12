# refuse: the deviations are from targets, the divisor is no count
# may: ASC106 advice scope=error


def error(data, targets):
    mean = sum(targets) / len(targets)
    return sum((x - mean) ** 2 for x in data) / 2


def cases(rng):
    yield "error", ([1.0, 2.0], [3.0, 5.0]), {}
