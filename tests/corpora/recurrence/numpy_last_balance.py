# expect: ASC101 safe scope=final_balance
import numpy as np


def final_balance(deposits: np.ndarray, rate: float) -> float:
    total = 0.0
    for d in deposits:
        total = total * (1 + rate) + d
    return total


def cases(rng):
    for n in (1, 2, 60):
        yield "final_balance", (rng.standard_normal(n), 0.01), {}
        yield "final_balance", (rng.standard_normal(n).astype(np.float32), 0.01), {}
