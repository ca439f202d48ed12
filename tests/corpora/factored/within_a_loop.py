# expect: SEP201 safe scope=both
def both(rows, b):
    out = []
    for a in rows:
        s = 0.0
        for i in range(len(a)):
            for j in range(len(b)):
                s += (a[i] if a[i] > 0 else 0.0) * b[j]
        out.append(s)
    return out


def cases(rng):
    yield "both", ([[1.0, -2.0], [3.0]], [1.5, 2.5]), {}
