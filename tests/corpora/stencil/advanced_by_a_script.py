# expect: LOC302 safe scope=<module>
import numpy as np

cells = 31
heat = np.ones(cells)
heat[8:16] = 2.0
for step in range(20):
    before = heat.copy()
    for j in range(1, cells - 1):
        heat[j] = before[j] + 0.3 * (before[j + 1] - 2 * before[j] + before[j - 1])


def cases(rng):
    yield "lambda: heat", (), {}
