# expect: LOC301 any scope=both
import torch


def both(A, B):
    C = torch.zeros(A.shape[0], B.shape[1], dtype=A.dtype)
    for j in range(B.size(1)):
        for p in range(A.size(1)):
            for i in range(A.size(0)):
                C[i, j] += A[i, p] * B[p, j]
    D = torch.zeros(A.shape[0], B.shape[1], dtype=A.dtype)
    D += A @ B[: A.size(1)]
    return C, D


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s))

    for n, m, k in ((2, 3, 2), (3, 3, 3), (4, 2, 5)):
        yield "both", (R(n, m), R(m, k)), {}
