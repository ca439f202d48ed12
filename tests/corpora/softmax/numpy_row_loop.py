# expect: ASC107 any scope=softmax_rows
import numpy as np


def softmax_rows(logits):
    probs = np.empty_like(logits)
    for i in range(logits.shape[0]):
        row = logits[i] - logits[i].max()
        e = np.exp(row)
        probs[i] = e / e.sum()
    return probs


def cases(rng):
    for shape in ((1, 1), (5, 9)):
        yield "softmax_rows", (rng.standard_normal(shape),), {}
