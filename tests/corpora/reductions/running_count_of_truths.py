# expect: ASC105 safe scope=counts
# The first truth is added to 0, which makes a number of it.


def counts(xs: list[int]):
    count = 0
    out = []
    for x in xs:
        count += x > 2
        out.append(count)
    return out


def cases(rng):
    yield "counts", ([3, 1, 5],), {}
    yield "counts", ([],), {}
