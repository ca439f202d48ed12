# expect: ASC101 safe scope=block_dc
import numpy as np


def block_dc(x: np.ndarray, r: float = 0.995) -> np.ndarray:
    """y[n] = x[n] - x[n-1] + r y[n-1], sample by sample as on a microcontroller."""
    prev_x = 0.0
    prev_y = 0.0
    out = []
    for sample in x:
        y = sample - prev_x + r * prev_y
        out.append(y)
        prev_x = sample
        prev_y = y
    return np.array(out)


def cases(rng):
    for n in (1, 2, 70):
        yield "block_dc", (rng.standard_normal(n),), {}
