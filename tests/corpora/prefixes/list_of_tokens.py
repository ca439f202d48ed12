# expect: RED504 advice scope=continue_text

import numpy as np


def continue_text(score, tokens, stop):
    """Tokens in a plain list, the model in NumPy."""
    while len(tokens) < stop:
        out = score(np.array([tokens]))
        following = int(np.argmax(out[0, -1]))
        tokens.append(following)
        if following == 0:
            break
    return tokens


def score(batch):
    table = np.cumsum(batch, axis=1)[..., None] % 5
    return -np.abs(table - np.arange(5))


def run(start, stop):
    return continue_text(score, start, stop)


def cases(rng):
    yield "run", ([2, 4], 8), {}
    yield "run", ([1], 1), {}
