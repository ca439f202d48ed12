# expect: ASC101 safe scope=np_iir
import numpy as np


def np_iir(x: np.ndarray, alpha: float):
    y = np.zeros_like(x)
    y[0] = x[0]
    for i in range(1, len(x)):
        y[i] = alpha * x[i] + (1 - alpha) * y[i - 1]
    return y


def cases(rng):
    yield "np_iir", (rng.standard_normal((9,)), 0.3), {}
    yield (
        "np_iir",
        (
            rng.standard_normal(
                (
                    9,
                    2,
                )
            ),
            0.3,
        ),
        {},
    )
    yield "np_iir", (np.arange(5, dtype=np.float32), 0.3), {}
    yield "np_iir", (rng.standard_normal((1,)), 0.3), {}
