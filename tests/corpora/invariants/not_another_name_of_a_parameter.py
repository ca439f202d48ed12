# refuse: RED501 the loop writes into what is summed, under another name
def f(xs):
    ys = xs
    for i in range(len(xs)):
        ys[i] = sum(xs)
    return ys


def cases(rng):

    for args in [([1.0, 2.0, 3.0],), ([],)]:
        yield "f", args, {}
