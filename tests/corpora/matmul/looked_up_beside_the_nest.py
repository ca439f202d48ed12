# expect: LOC301 safe scope=forward
# expect: LOC301 safe scope=forward_by_sums
# may: LOC306 any scope=forward_by_sums
import numpy as np


def forward(obs, A, B, pi):
    T, N = len(obs), A.shape[0]
    alpha = np.zeros((T, N))
    alpha[0] = pi * B[:, obs[0]]
    for t in range(1, T):
        for j in range(N):
            alpha[t, j] = alpha[t - 1].dot(A[:, j]) * B[j, obs[t]]
    return alpha


def forward_by_sums(obs, A, B, pi):
    T, N = len(obs), A.shape[0]
    alpha = np.zeros((T, N))
    for s in range(N):
        alpha[0, s] = pi[s] * B[s, obs[0]]
    for t in range(1, T):
        for s in range(N):
            for r in range(N):
                alpha[t, s] += alpha[t - 1, r] * A[r, s] * B[s, obs[t]]
    return alpha


def cases(rng):
    for T, N, symbols in ((1, 2, 3), (5, 3, 4), (2, 1, 1)):
        A, B, pi = rng.random((N, N)), rng.random((N, symbols)), rng.random(N)
        for obs in (rng.integers(-symbols, symbols, T), [0] * T):
            yield "forward", (obs, A, B, pi), {}
            yield "forward_by_sums", (obs, A, B, pi), {}
