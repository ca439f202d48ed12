# expect: RED503 safe scope=common


def common(a: str, b: str) -> int:
    if not a or not b:
        return 0
    if a[-1] == b[-1]:
        return 1 + common(a[:-1], b[:-1])
    return max(common(a[:-1], b), common(a, b[:-1]))


def cases(rng):
    yield "lambda a, b: common(a, b)", ("abcbdab", "bdcaba"), {}
    yield "lambda a, b: common(a, b)", ("", "x"), {}
