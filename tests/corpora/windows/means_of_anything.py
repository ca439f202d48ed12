# expect: LOC308 safe scope=moving_average
from numpy.lib.stride_tricks import sliding_window_view


def moving_average(signal, width):
    windows = sliding_window_view(signal, width)
    return windows.mean(axis=1)


def cases(rng):
    yield "moving_average", (rng.standard_normal(50), 7), {}
    yield "moving_average", (rng.standard_normal(5), 5), {}
