# expect: ASC101 safe scope=ema
import numpy as np


def ema(values: np.ndarray, span: int) -> np.ndarray:
    alpha = 2.0 / (span + 1)
    out = np.empty_like(values)
    out[0] = values[0]
    for i in range(1, len(values)):
        out[i] = alpha * values[i] + (1 - alpha) * out[i - 1]
    return out


def cases(rng):
    for n in (1, 2, 60):
        yield "ema", (rng.standard_normal(n), 12), {}
        yield "ema", (rng.standard_normal(n).astype(np.float32)[::-1], 12), {}
        yield "ema", (rng.standard_normal((n, 2)), 12), {}
