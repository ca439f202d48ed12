# refuse: RED505 the list grows before its largest element is read
def spread(latencies: list):
    ordered = sorted(latencies)
    fastest = ordered[0]
    latencies.append(9.5)
    slowest = ordered[-1]
    return slowest - fastest


def cases(rng):
    yield "spread", ([3.5, 1.0, 2.0],), {}
