# expect: RED510 advice scope=approx_frequency


def approx_frequency(stream, wanted):
    table = {}
    for item in stream:
        table[item] = table.get(item, 0) + 1
    return [table.get(w, 0) for w in wanted]


def cases(rng):
    yield "approx_frequency", ("abca", "ax"), {}
