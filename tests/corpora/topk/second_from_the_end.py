# expect: ASC110 safe scope=runner_up
# expect: ASC110 safe scope=distinct
# expect: ASC110 safe scope=product_of_three
# expect: ASC110 safe scope=lead


def runner_up(points: list[int]):
    return sorted(points)[-2]


def distinct(points):
    return sorted(set(points))[-2]


def product_of_three(numbers: list[int]):
    ordered = sorted(numbers)
    return ordered[-1] * ordered[-2] * ordered[-3]


def lead(points: list[float]):
    own = list(points)
    own.sort()
    return own[-1] - own[-2]


def cases(rng):
    for n in (3, 4, 40):
        points = rng.permutation(2 * n)[:n].tolist()
        for name in ("runner_up", "distinct", "product_of_three", "lead"):
            yield name, (points,), {}
            yield name, (points + points[:2],), {}
        yield "lead", (rng.standard_normal(n).tolist(),), {}
