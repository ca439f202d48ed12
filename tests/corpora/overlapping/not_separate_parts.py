# refuse: RED503 the two sides of a tree have nothing in common


def depth(tree):
    if tree is None:
        return 0
    left, right = tree
    return 1 + max(depth(left), depth(right))


def cases(rng):
    yield "depth", (((None, None), None),), {}
