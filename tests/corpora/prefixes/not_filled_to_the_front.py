# refuse: ASC105 the loops leave places at the front as they were made, skip some or look elsewhere
def but_the_first(a: list[int]):
    n = len(a)
    suffix = [0] * n
    for i in range(n - 1, 0, -1):
        suffix[i] = a[i] + (suffix[i + 1] if i + 1 < n else 0)
    return suffix


def one_short(a: list[int]):
    n = len(a)
    suffix = [0] * (n + 1)
    for i in range(n - 1, 0, -1):
        suffix[i] = suffix[i + 1] + a[i]
    return suffix


def two_ahead(a: list[int]):
    n = len(a)
    suffix = [0] * (n + 2)
    for i in range(n - 1, -1, -1):
        suffix[i] = suffix[i + 2] + a[i]
    return suffix


def wrong_end(a: list[int]):
    n = len(a)
    suffix = [0] * n
    suffix[0] = 5
    for i in range(n - 2, -1, -1):
        suffix[i] = suffix[i + 1] + a[i]
    return suffix


def shown_meanwhile(a: list[int], shown):
    n = len(a)
    suffix = [0] * (n + 1)
    for i in range(n - 1, -1, -1):
        suffix[i] = suffix[i + 1] + a[i]
        shown(suffix)
    return suffix


def of_another_length(a: list[int], n: int):
    suffix = [0] * (n + 1)
    for i in range(len(a) - 1, -1, -1):
        suffix[i] = suffix[i + 1] + a[i]
    return suffix


def cases(rng):
    whole = [int(x) for x in rng.integers(-9, 9, 7)]
    for name in ("but_the_first", "one_short", "two_ahead", "wrong_end"):
        yield name, (whole,), {}
    yield "lambda a: (shown := [], shown_meanwhile(a, lambda s: shown.append(s[0])))", (whole,), {}
    yield "of_another_length", (whole, 9), {}
