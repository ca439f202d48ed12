# refuse: RED507 one inverse serves all steps
import numpy as np


def implicit_euler(operator: np.ndarray, x: np.ndarray, steps: int):
    inverse = np.linalg.inv(operator)
    for _ in range(steps):
        x = inverse @ x
    return x


def cases(rng):
    yield (
        "implicit_euler",
        (np.eye(3) + 0.1 * rng.standard_normal((3, 3)), rng.standard_normal(3), 5),
        {},
    )
