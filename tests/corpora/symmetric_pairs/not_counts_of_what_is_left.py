# refuse: what one set has besides the other is not what the other has besides it
def only_here(posts: list[set[str]]):
    size = len(posts)
    table = [[0] * size for _ in range(size)]
    for a in range(size):
        for b in range(size):
            table[a][b] = len(posts[a].difference(posts[b]))
    return table


def cases(rng):
    for n in (5, 1):
        yield "only_here", ([{str(x) for x in rng.integers(0, 9, 4)} for _ in range(n)],), {}
