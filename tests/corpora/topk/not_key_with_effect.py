# refuse: ASC110 the key function counts its calls and reads the counter
def spread_out(items):
    calls = 0

    def key(item):
        nonlocal calls
        calls += 1
        return item * calls % 7

    chosen = sorted(items, key=key)[:3]
    return chosen, calls


def cases(rng):
    yield "spread_out", (list(range(12)),), {}
