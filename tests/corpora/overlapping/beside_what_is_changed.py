# expect: RED503 safe scope=counted.best
# expect: RED503 safe scope=gathered.best


def counted(weights: list[int], n: int):
    most = max(weights)
    low, *rest = sorted(weights)
    rest.append(low)

    def best(i: int) -> int:
        return weights[0] if i < 2 else best(i - 1) + best(i - 2)

    for weight in weights:
        most += weight + best(n)
    rest[0] = most
    return rest


def gathered(names: str, n: int):
    found = {}
    out = []

    def best(i: int) -> int:
        return len(names) if i < 2 else best(i - 1) + best(i - 2)

    out.append(names)
    out.append(best(n))
    found[names] = best(n + 1)
    return out, found


def cases(rng):
    yield "counted", ([3, 1, 4], 5), {}
    yield "gathered", ("abc", 5), {}
