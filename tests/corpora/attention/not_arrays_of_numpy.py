# refuse: NumPy transposes here: `transpose(1, 0)` is of an array, and what it is given is one
"""The scores are of arrays, and no number: nothing says that the rest is of tensors."""

import numpy as np
import torch


def attend(q, k, v):
    scores = np.dot(q, k.transpose(1, 0)) / np.sqrt(k.shape[1])
    return torch.softmax(torch.from_numpy(scores), dim=1).numpy() @ v


def cases(rng):
    for n, m in [(5, 7), (1, 2)]:
        yield (
            "attend",
            (rng.normal(size=(n, 3)), rng.normal(size=(m, 3)), rng.normal(size=(m, 4))),
            {},
        )
