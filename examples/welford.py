"""Mean and variance in one pass over the samples, by Welford's update.

The sum of squares minus the square of the sum loses all digits where the mean is large; keeping
the running mean and the sum of squared deviations from it does not.
"""

import numpy as np


def mean_and_variance(samples: np.ndarray) -> tuple[float, float]:
    count = 0
    mean = 0.0
    deviations = 0.0
    for x in samples:
        count += 1
        step = x - mean
        mean += step / count
        deviations += step * (x - mean)
    return mean, deviations / count


def mean_and_variance_inputs(n=200_000):
    return (np.random.default_rng(0).normal(1e3, 2.0, size=n),)


if __name__ == "__main__":
    mean, variance = mean_and_variance(*mean_and_variance_inputs())
    print(f"{mean:.3f} {variance:.3f}")
