# expect: ASC110 safe|advice scope=closest_three
def closest_three(distances: list[float]) -> list[float]:
    """Keeps a short sorted list while reading."""
    best: list[float] = []
    for d in distances:
        best.append(d)
        best.sort()
        if len(best) > 3:
            best.pop()
    return best


def cases(rng):
    for n in (0, 2, 3, 40):
        yield "closest_three", (rng.standard_normal(n).tolist(),), {}
