# refuse: + on lists
def flatten(groups):
    members = []
    for group in groups:
        members += group
    return members


def cases(rng):
    yield "flatten", ([[1, 2], [], [3]],), {}
