# refuse: RED503 the loop around the calls gives another pattern to the same function


def matching(text: str, patterns: list[str]):
    def match(i: int, j: int) -> bool:
        if j == len(pattern):
            return i == len(text)
        if pattern[j] == "*":
            return match(i, j + 1) or (i < len(text) and match(i + 1, j))
        return i < len(text) and pattern[j] in (text[i], "?") and match(i + 1, j + 1)

    found = []
    for pattern in patterns:
        found.append(match(0, 0))
    return found


def popped(sizes: list[int]):
    def ways(n: int) -> int:
        return size if n < 2 else ways(n - 1) + ways(n - 2)

    out = []
    while sizes:
        size = sizes.pop()
        out.append(ways(4))
    return out


def cases(rng):
    yield "matching", ("abc", ["a*", "?b?", "x"]), {}
    yield "popped", ([1, 2, 3],), {}
