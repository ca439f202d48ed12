# refuse: LOC306 reading the attribute counts
# refuse: ASC106 reading the attribute counts
import numpy as np


class Ramp:
    def __init__(self, arr):
        self.arr = arr
        self.k = 0

    @property
    def scale(self):
        self.k += 1
        return self.k

    def filled(self):
        out = np.zeros(len(self.arr))
        for i in range(len(self.arr)):
            out[i] = self.arr[i] * self.scale
        return out

    def summed(self):
        s = 0.0
        for v in self.arr:
            s += v * self.scale
        return s


def cases(rng):
    for name in ("filled", "summed"):
        yield f"lambda x: Ramp(x).{name}()", (rng.standard_normal(4),), {}
