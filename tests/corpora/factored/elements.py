# expect: SEP201 safe scope=partition
def partition(es, gs, beta):
    z = 0.0
    for a in es:
        for b in gs:
            z += a * a * (b + beta)
    return z


def cases(rng):
    yield (
        "partition",
        (list(map(float, rng.standard_normal(5))), list(map(float, rng.standard_normal(7))), 0.4),
        {},
    )
