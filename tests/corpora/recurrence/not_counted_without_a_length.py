# refuse: what is walked may have no length, and how many rows there were is returned
import numpy as np
import torch


def trace(rows, decay, width):
    state = torch.zeros(width)
    seen = 0
    for row in rows:
        state = decay * state + row
        seen += 1
    return state, seen


def cases(rng: np.random.Generator):
    for length in (1, 6):
        x = torch.from_numpy(rng.standard_normal((length, 3)).astype(np.float32))
        yield "lambda *given: trace((row for row in given[0]), *given[1:])", (x, 0.5, 3), {}
