# expect: RED502 safe scope=deflate

import numpy as np


def deflate(a: np.ndarray, vectors: list):
    size = np.abs(np.linalg.eigvalsh(a)).max()
    found = []
    for v in vectors:
        found.append(float(v @ v) / size + np.linalg.eigvalsh(a)[0])
    return found


def cases(rng):
    m = rng.normal(size=(3, 3))
    yield "deflate", (m + m.T, [rng.normal(size=3) for _ in range(2)]), {}
    yield "deflate", (m + m.T, []), {}
