# refuse: what has no length is walked as well
def grown(x):
    p = 1
    for _ in x:
        p = p * 3
    return p


def cases(rng):
    yield "lambda: grown(iter([1, 2, 3]))", (), {}
