# expect: ASC101 safe scope=low_pass
import numpy as np


def low_pass(x, cutoff_hz, sample_rate):
    """RC low-pass filter of a multichannel recording x[channel, sample]."""
    dt = 1.0 / sample_rate
    rc = 1.0 / (2 * np.pi * cutoff_hz)
    alpha = dt / (rc + dt)
    y = np.zeros_like(x)
    y[:, 0] = alpha * x[:, 0]
    for n in range(1, x.shape[1]):
        y[:, n] = y[:, n - 1] + alpha * (x[:, n] - y[:, n - 1])
    return y


def cases(rng):
    for channels, samples in ((1, 1), (3, 2), (4, 90)):
        yield "low_pass", (rng.standard_normal((channels, samples)), 50.0, 1000.0), {}
