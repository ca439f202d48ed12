# expect: LOC302 unsafe scope=ratios


def ratios(q, f, m: int):
    q[0, 0] = f[1] / f[0]
    for i in range(1, 2 * m):
        q[i, 0] = f[i + 1] / f[i]
    return q


class Table:
    def __init__(self, rows):
        self.cells = {}

    def __setitem__(self, place, value):
        assert isinstance(value, float)
        self.cells[place] = value


def filled(f: list[float], m: int):
    return ratios(Table(2 * m), f, m).cells


def cases(rng):
    for m in (1, 3):
        yield "filled", (rng.uniform(1, 2, 2 * m + 1).tolist(), m), {}
