# expect: SYM601 safe scope=shared_tags
# expect: SYM601 safe scope=shared_words
def shared_tags(posts: list[set[str]]):
    """Nothing but calls, in cells of lists of lists."""
    size = len(posts)
    table = [[0] * size for _ in range(size)]
    for a in range(size):
        for b in range(size):
            table[a][b] = len(posts[a].intersection(posts[b]))
    return table


def shared_words(texts: list[frozenset[str]]):
    table = [[0] * len(texts) for _ in texts]
    for a in range(len(texts)):
        for b in range(len(texts)):
            both = texts[a].intersection(texts[b])
            table[a][b] = len(both)
    return table


def cases(rng):
    for n in (5, 1):
        sets = [{str(x) for x in rng.integers(0, 9, 4)} for _ in range(n)]
        yield "shared_tags", (sets,), {}
        yield "shared_words", ([frozenset(each) for each in sets],), {}
