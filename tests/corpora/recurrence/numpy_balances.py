# expect: ASC101 safe scope=balances
import numpy as np


def balances(deposits, rates, start):
    bal = start
    history = []
    for d, r in zip(deposits, rates):
        bal = bal * (1 + r) + d
        history.append(bal)
    return np.array(history)


def cases(rng):
    for n in (1, 2, 60):
        yield "balances", (rng.standard_normal(n), rng.random(n) / 10, 100.0), {}
        yield "balances", (list(rng.standard_normal(n)), rng.random(n + 3) / 10, 100), {}
