# refuse: RED503 the file itself calls it with lists, whatever the annotation says
def edit(a: str, b: str) -> int:
    if not a:
        return len(b)
    if not b:
        return len(a)
    if a[0] == b[0]:
        return edit(a[1:], b[1:])
    return 1 + min(edit(a[1:], b), edit(a, b[1:]), edit(a[1:], b[1:]))


def distance():
    words = [1, 2, 3]
    return edit(words, [2, 3])


def cases(rng):
    yield "distance", (), {}
    yield "edit", ("kitten", "mitt"), {}
