# expect: ASC105 safe scope=by_place
# expect: ASC105 safe scope=by_item
# expect: ASC105 safe scope=of_another


def by_place(xs: list[int]) -> list[int]:
    sums = [0] * len(xs)
    sums[0] = xs[0]
    for i in range(1, len(xs)):
        sums[i] = sums[i - 1] + xs[i]
    return sums


def by_item(xs: list[int]) -> list[int]:
    highest = [xs[0]]
    for x in xs[1:]:
        highest.append(max(highest[-1], x))
    return highest


def of_another(xs: list[int], ys: list[int]) -> list[int]:
    sums = [ys[0]]
    for x in xs[1:]:
        sums.append(sums[-1] + x)
    return sums


def cases(rng):
    for n in (1, 2, 6):
        xs = [int(v) for v in rng.integers(-5, 6, size=n)]
        yield "by_place", (xs,), {}
        yield "by_item", (xs,), {}
        yield "of_another", (xs, [7, 8]), {}
