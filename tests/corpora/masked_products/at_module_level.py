# may: SPA404 advice scope=<module>
import numpy as np

ROWS = np.arange(12.0).reshape(3, 4)
FRAMES = np.zeros([2, 4, 4])
for place in range(2):
    FRAMES[place] = np.eye(4) * (place + 1)
PRODUCT = ROWS @ FRAMES[1]


def cases(rng):
    yield "lambda: (FRAMES, PRODUCT)", (), {}
