# refuse: shortest paths read what they write


def floyd(D):
    n = D.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                D[i, j] = min(D[i, j], D[i, k] + D[k, j])
    return D


def cases(rng):
    yield "floyd", (rng.random((5, 5)),), {}
