# expect: ASC106 safe scope=<module>
import numpy as np

rng = np.random.default_rng(12)
prices = rng.uniform(1, 20, size=5000)
quantities = rng.uniform(0, 9, size=5000)

revenue = 0.0
for i in range(prices.shape[0]):
    revenue += prices[i] * quantities[i]


def cases(_):
    yield "lambda: float(revenue)", (), {}
