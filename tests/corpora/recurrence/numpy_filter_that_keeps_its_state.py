# expect: ASC104 safe scope=Biquad.process
import numpy as np


class Biquad:
    def __init__(self, b, a):
        self.b0, self.b1, self.b2 = b
        self.a1, self.a2 = a
        self.z1 = 0.0
        self.z2 = 0.0

    def process(self, x: np.ndarray) -> np.ndarray:
        y = np.empty_like(x)
        z1, z2 = self.z1, self.z2
        for n in range(x.shape[0]):
            y[n] = self.b0 * x[n] + z1
            z1 = self.b1 * x[n] - self.a1 * y[n] + z2
            z2 = self.b2 * x[n] - self.a2 * y[n]
        self.z1, self.z2 = z1, z2
        return y


def run(x):
    f = Biquad((0.2, 0.3, 0.1), (-0.5, 0.2))
    return f.process(x), f.process(x), f.z1, f.z2


def cases(rng):
    for n in (1, 2, 140):
        yield "run", (rng.standard_normal(n),), {}
