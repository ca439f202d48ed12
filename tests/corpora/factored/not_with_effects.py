# refuse: a factor takes elements out of a list
def both(a, b):
    s = 0.0
    for i in range(len(a)):
        for j in range(len(b)):
            s += a.pop() * b[j]
    return s


def cases(rng):
    yield "both", ([1.0, 2.0], [1.5]), {}
