# refuse: RED505 of equal elements the last is taken, and what is sorted may be walked once only
def newest(records):
    return sorted(records, key=lambda record: record[0])[-1]


def cases(rng):
    yield "newest", ([(1, "a"), (2, "b"), (2, "c")],), {}
