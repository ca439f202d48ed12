# may: ASC109 any scope=attention
# may: ASC107 any scope=attention
import numpy as np


def attention(Q, K, V):
    scores = Q @ K.T / np.sqrt(Q.shape[-1])
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) @ V


def cases(rng):
    yield "attention", tuple(rng.standard_normal((n, 4)) for n in (6, 9, 9)), {}
