# expect: ASC105 safe scope=summed_area
import numpy as np


def summed_area(img: np.ndarray):
    rows, cols = img.shape
    table = np.zeros((rows, cols), dtype=np.float64)
    for r in range(rows):
        run = 0.0
        for c in range(cols):
            run += img[r][c]
            table[r][c] = run + (table[r - 1][c] if r > 0 else 0)
    return table


def cases(rng):
    yield "summed_area", (rng.standard_normal((5, 6)),), {}
    yield "summed_area", (rng.integers(0, 255, (4, 3)).astype(np.uint8),), {}
    yield "summed_area", (np.ones((3, 2), dtype=bool),), {}
    yield "summed_area", (np.zeros((0, 4)),), {}
