# expect: RED507 unsafe scope=Filter.gain
# expect: RED507 unsafe scope=Filter.gain_by_name
# expect: RED507 safe scope=Filter.plain_gain

import numpy as np
from numpy import dot


class Filter:
    """``inv`` may be set to ``np.linalg.pinv`` for singular matrices."""

    def __init__(self, n):
        self.P = np.eye(n)
        self.inv = np.linalg.inv

    def gain(this, H, R):
        PHT = dot(this.P, H.T)
        S = dot(H, PHT) + R
        return dot(PHT, this.inv(S))

    def gain_by_name(self, H, R):
        PHT = dot(self.P, H.T)
        S = dot(H, PHT) + R
        inverse = self.inv(S)
        return dot(PHT, inverse)

    def plain_gain(self, H, R):
        PHT = dot(self.P, H.T)
        S = dot(H, PHT) + R
        return dot(PHT, np.linalg.inv(S))


def gains(H, R):
    kept = Filter(H.shape[1])
    return kept.gain(H, R), kept.gain_by_name(H, R), kept.plain_gain(H, R)


def cases(rng):
    yield "gains", (rng.standard_normal((3, 5)), np.eye(3)), {}
