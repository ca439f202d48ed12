# expect: ASC106 safe scope=longest
# expect: ASC106 safe scope=at_least_three
# expect: ASC106 safe scope=depth


def longest(words: list[str]) -> int:
    width = 0
    for word in words:
        width = max(width, len(word))
    return width


def at_least_three(words: list[str]) -> int:
    width = 3
    for word in words:
        if len(word) > width:
            width = len(word)
    return width


def depth(rows: list[list[int]]) -> int:
    most = -1
    for row in rows:
        most = max(most, len(row))
    return most


def cases(rng):
    for words in ([], [""], ["a", "", "bcd"], ["abcde", "xy"]):
        yield "longest", (words,), {}
        yield "at_least_three", (words,), {}
        yield "depth", ([list(word) for word in words],), {}
