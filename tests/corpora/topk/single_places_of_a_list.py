# expect: ASC110 safe scope=runner_up
# expect: ASC110 safe scope=cheapest_two
# expect: ASC110 safe scope=podium
# expect: ASC110 safe scope=behind_the_first
def runner_up(xs: list[float]):
    return sorted(xs)[1]


def cheapest_two(prices: list[int]):
    ordered = sorted(prices)
    return ordered[0] + ordered[1]


def podium(scores: list[tuple[int, str]]):
    ordered = sorted(scores, key=lambda s: s[0], reverse=True)
    gold, silver, bronze = ordered[0], ordered[1], ordered[2]
    return gold, silver, bronze


def behind_the_first(xs: list[int]):
    ys = sorted(xs)
    return ys[1:3]


def cases(rng):
    for size in (1, 2, 3, 9):
        xs = [float(x) for x in rng.integers(0, 5, size)]
        yield "behind_the_first", ([int(x) for x in xs],), {}
        if size > 1:
            yield "runner_up", (xs,), {}
            yield "cheapest_two", ([int(x) for x in xs],), {}
        if size > 2:
            yield "podium", ([(int(x), str(i)) for i, x in enumerate(xs)],), {}
