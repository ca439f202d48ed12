"""Loops that keep running values and have no monoid for them."""

from collections import deque

import numpy as np


def looked_at(xs):
    """`out.append(out[-2] + x)` keeps a carried value"""
    s, out = 0, [0, 0]
    for x in xs:
        s += x
        out.append(out[-2] + x)
    return out, s


def ends(xs):
    """`out.append(s)` keeps a carried value"""
    s, out = 0, []
    for x in xs:
        s += x
        if s > 9:
            break
        out.append(s)
    return out


def shared(xs):
    """`out` may be another name of `other`, which it changes"""
    s = 0
    other = out = []
    for x in xs:
        s += x
        other.append(s)
    return out


def logistic(xs):
    """s"""
    s, out = 0.5, []
    for x in xs:
        s = x * s * (1 - s)
        out.append(s)
    return out


def given(xs, out):
    """keeps a carried value"""
    s = 0
    for x in xs:
        s += x
        out.append(s)
    return s


def sent(xs):
    """`(yield s)` is more than a value"""
    s = 0
    for x in xs:
        s += x
        more = yield s
        s += more


def prints(xs):
    """a side effect"""
    s, out = 0, []
    for x in xs:
        s += x
        print(s)
        out.append(s)
    return out


def appended_late(xs):
    """`out.append(s)` keeps a carried value"""
    s, out = 0, []
    for x in xs:
        s += x
        out.append(s)
        if s > 3:
            out = []
    return out


def what_is_kept_itself(xs):
    """changed in place"""
    kept, out = deque(maxlen=3), []
    for x in xs:
        kept.append(x)
        out.append(kept)
    return out


def filled_at_times(xs):
    """`out` is changed beside other carried values"""
    s = 0.0
    out = np.zeros(len(xs))
    for i, x in enumerate(xs):
        s += x
        if s > 0:
            out[i] = s
    return out


def filled_unless_left_out(xs):
    """`out` is changed beside other carried values"""
    s = 0.0
    out = np.zeros(len(xs))
    for i, x in enumerate(xs):
        s += x
        if x > 4:
            continue
        out[i] = s
    return out


def filled_with_whole_numbers(xs):
    """`out` is changed beside other carried values"""
    s = 0.0
    out = np.zeros(len(xs), dtype=int)
    for i, x in enumerate(xs):
        s = 0.5 * s + x
        out[i] = s
    return out


def a_place_of_two_steps(xs, a):
    """`out` is changed beside other carried values"""
    h = 0
    out = [0] * len(xs)
    for t in range(len(xs)):
        h = a * h + xs[t]
        out[t // 2] = h
    return out


def a_place_from_the_end(xs, n):
    """`out` is changed beside other carried values"""
    h = 0
    out = [0] * len(xs)
    for t in range(n, 3):
        h = h + xs[t]
        out[t] = h
    return out


def a_place_before_the_first(xs):
    """`out` is changed beside other carried values"""
    h = 0
    out = [0] * len(xs)
    for t in range(len(xs)):
        h = h + xs[t]
        out[t - 1] = h
    return out


def put_in_front_and_read(xs):
    """"""
    h, out = 0, [0]
    for x in xs:
        h = h + x + out[0]
        out.insert(0, h)
    return out


def another_row_begun(xs):
    """a step changes more than one entry"""
    y = np.zeros(len(xs))
    y[1] = 5.0
    for i in range(1, len(xs)):
        y[i] = xs[i] - y[i - 1]
    return y


def the_row_after(xs):
    """a step changes more than one entry"""
    y = np.zeros(len(xs) + 1)
    for i in range(len(xs)):
        y[i] = xs[i] - y[i + 1]
    return y


def two_rows_before(xs):
    """a step changes more than one entry"""
    y = np.zeros(len(xs))
    for i in range(2, len(xs)):
        y[i] = xs[i] + y[i - 1] - y[i - 2]
    return y


def whole_numbers_alone(xs):
    """a step changes more than one entry"""
    y = np.zeros(len(xs), dtype=int)
    for i in range(1, len(xs)):
        y[i] = 0.5 * xs[i] + y[i - 1]
    return y
