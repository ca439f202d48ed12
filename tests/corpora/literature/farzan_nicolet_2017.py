"""Farzan and Nicolet, "Synthesis of Divide and Conquer Parallelism for Loops" (PLDI 2017)."""

import functools

import numpy as np
import torch


# sum: one-pass
def sum_items(xs):
    total = 0
    for x in xs:
        total += x
    return total


def sum_indexed(a):
    total = 0.0
    for i in range(len(a)):
        total = a[i] + total
    return total


def sum_functional(xs):
    return functools.reduce(lambda total, x: total + x, xs, 0)


# min: one-pass
def min_branch(xs):
    least = float("inf")
    for x in xs:
        if x < least:
            least = x
    return least


def min_call(a):
    least = np.inf
    for i in range(a.shape[0]):
        least = min(least, a[i])
    return least


# max: one-pass
def max_conditional(xs):
    top = float("-inf")
    for x in xs:
        top = x if x >= top else top
    return top


def max_tensor(a):
    top = a[0]
    for i in range(1, a.shape[0]):
        top = torch.maximum(top, a[i])
    return top


# average: one-pass
def average_counted(xs):
    total, count = 0.0, 0
    for x in xs:
        total += x
        count += 1
    return total / count


def average_running(xs):
    mean = 0.0
    for i in range(len(xs)):
        mean = mean + (xs[i] - mean) / (i + 1)
    return mean


def average_recursive(xs):
    n = 0
    mean = 0.0
    for x in xs:
        mean = (mean * n + x) / (n + 1)
        n = n + 1
    return mean


# hamming: one-pass
def hamming_zip(a, b):
    distance = 0
    for x, y in zip(a, b):
        if x != y:
            distance += 1
    return distance


def hamming_indexed(a, b):
    distance = 0
    for i in range(len(a)):
        distance += 0 if a[i] == b[i] else 1
    return distance


# length: one-pass
def length_count(xs):
    n = 0
    for _ in xs:
        n += 1
    return n


def length_skipping(xs):
    n = 0
    for x in xs:
        if x is None:
            n = n + 1
            continue
        n = n + 1
    return n


# 2nd-min: one-pass
def second_min_branches(a):
    m, m2 = float("inf"), float("inf")
    for i in range(len(a)):
        if a[i] < m:
            m2 = m
            m = a[i]
        elif a[i] < m2:
            m2 = a[i]
    return m2


def second_min_calls(xs):
    m, m2 = float("inf"), float("inf")
    for x in xs:
        m2 = min(m2, max(m, x))
        m = min(m, x)
    return m2


def second_min_nested(xs):
    first = second = np.inf
    for x in xs:
        if x < second:
            if x < first:
                second, first = first, x
            else:
                second = x
    return second


# mps: one-pass
def mps_branch(xs):
    total = best = 0
    for x in xs:
        total += x
        if total > best:
            best = total
    return best


def mps_call(a):
    best, total = 0.0, 0.0
    for i in range(len(a)):
        best = max(best, total + a[i])
        total = total + a[i]
    return best


def mps_tensor(a):
    total = torch.zeros(())
    best = torch.zeros(())
    for i in range(a.shape[0]):
        total = total + a[i]
        best = torch.maximum(best, total)
    return best


# mts: one-pass
def mts_call(xs):
    tail = 0
    for x in xs:
        tail = max(tail + x, 0)
    return tail


def mts_branch(a):
    tail = 0.0
    for i in range(len(a)):
        tail += a[i]
        if tail < 0:
            tail = 0.0
    return tail


# mss: one-pass
def mss_calls(xs):
    tail = best = 0
    for x in xs:
        tail = max(tail + x, 0)
        best = max(best, tail)
    return best


def mss_branches(a):
    tail, best = 0.0, 0.0
    for i in range(len(a)):
        tail = tail + a[i]
        if tail < 0:
            tail = 0.0
        if best < tail:
            best = tail
    return best


def mss_array(a):
    tail = best = np.float64(0)
    for i in range(a.shape[0]):
        tail = np.maximum(tail + a[i], a[i])
        best = np.maximum(best, tail)
    return best


# mps-p: one-pass
def mps_position(xs):
    total = best = 0
    position = 0
    for i in range(len(xs)):
        total += xs[i]
        if total > best:
            best = total
            position = i
    return position


def mps_position_enumerated(xs):
    total, best, where = 0.0, 0.0, -1
    for i, x in enumerate(xs):
        total = total + x
        where = i if total > best else where
        best = max(best, total)
    return best, where


# mts-p: one-pass
def mts_position(xs):
    tail, position = 0, 0
    for i in range(len(xs)):
        if tail + xs[i] > 0:
            tail = tail + xs[i]
        else:
            tail = 0
            position = i
    return position


def mts_position_reset(xs):
    tail, start = 0.0, 0
    for i, x in enumerate(xs):
        if tail + x < 0:
            tail, start = 0.0, i + 1
        else:
            tail += x
    return start


# is-sorted: one-pass
def is_sorted_previous(xs):
    ok, previous = True, float("-inf")
    for i in range(len(xs)):
        ok = ok and previous <= xs[i]
        previous = xs[i]
    return ok


def is_sorted_neighbours(a):
    ok = True
    for i in range(1, len(a)):
        if a[i - 1] > a[i]:
            ok = False
    return ok


def is_sorted_tensor(a):
    ok, last = True, a[0]
    for i in range(1, a.shape[0]):
        if a[i] < last:
            ok = False
        last = a[i]
    return ok


# atoi: one-pass
def atoi_text(s):
    n = 0
    for c in s:
        n = 10 * n + (ord(c) - ord("0"))
    return n


def atoi_digits(digits):
    n = 0
    for i in range(len(digits)):
        n *= 10
        n += digits[i]
    return n


# dropwhile: one-pass
def dropwhile_flag(xs):
    dropping = True
    for x in xs:
        dropping = dropping and x == 0
    return dropping


def dropwhile_count(a):
    dropping, dropped = True, 0
    for i in range(len(a)):
        if dropping and a[i] > 0:
            dropped += 1
        else:
            dropping = False
    return dropped


# balanced-(): one-pass
def balanced_text(s):
    depth, ok = 0, True
    for c in s:
        if c == "(":
            depth += 1
        elif c == ")":
            depth -= 1
        if depth < 0:
            ok = False
    return ok and depth == 0


def balanced_bits(opening):
    depth, ok = 0, True
    for i in range(len(opening)):
        depth = depth + 1 if opening[i] else depth - 1
        ok = ok and depth >= 0
    return ok


# 0*1*: one-pass
def zeros_ones(bits):
    ones = False
    ok = True
    for b in bits:
        if b == 0 and ones:
            ok = False
        if b == 1:
            ones = True
    return ok


def zeros_ones_state(bits):
    state = 0
    for i in range(len(bits)):
        if state == 0:
            state = 1 if bits[i] == 1 else 0
        elif state == 1:
            state = 1 if bits[i] == 1 else 2
    return state != 2


# count-1's: one-pass
def count_ones_blocks(bits):
    inside, count = False, 0
    for b in bits:
        if b == 1 and not inside:
            count += 1
        inside = b == 1
    return count


def count_ones_nested(bits):
    count = 0
    inside = False
    for i in range(len(bits)):
        if bits[i] == 1:
            if not inside:
                count += 1
            inside = True
        else:
            inside = False
    return count


def count_ones_previous(a):
    count, previous = 0, 0
    for i in range(len(a)):
        if a[i] == 1 and previous != 1:
            count = count + 1
        previous = a[i]
    return count


# line-sight: one-pass
def line_of_sight(heights):
    visible, tallest = True, 0
    for i in range(len(heights)):
        visible = tallest <= heights[i]
        tallest = max(tallest, heights[i])
    return visible


def line_of_sight_branch(heights):
    tallest = float("-inf")
    visible = False
    for h in heights:
        if h > tallest:
            visible = True
            tallest = h
        else:
            visible = False
    return visible


# 0after1: one-pass
def zero_after_one(bits):
    one = seen = False
    for b in bits:
        seen = seen or (one and b == 0)
        one = one or b == 1
    return seen


def zero_after_one_branches(bits):
    one, found = False, False
    for i in range(len(bits)):
        if bits[i] == 1:
            one = True
        elif one:
            found = True
    return found


# max-block: one-pass
def max_block_branch(bits):
    run = best = 0
    for b in bits:
        if b == 1:
            run += 1
        else:
            run = 0
        best = max(best, run)
    return best


def max_block_conditional(a):
    run, best = 0, 0
    for i in range(len(a)):
        run = run + 1 if a[i] > 0 else 0
        if run > best:
            best = run
    return best


# poly: one-pass
def poly_powers(coefficients, x):
    value, power = 0.0, 1.0
    for c in coefficients:
        value += c * power
        power *= x
    return value


def poly_horner(coefficients, x):
    value = 0.0
    for i in range(len(coefficients)):
        value = value * x + coefficients[i]
    return value


# max-dist: one-pass
def max_distance(a, b):
    far = 0
    for x, y in zip(a, b):
        far = max(far, abs(x - y))
    return far


def max_distance_branch(a, b):
    far = 0.0
    for i in range(len(a)):
        d = a[i] - b[i] if a[i] > b[i] else b[i] - a[i]
        if d > far:
            far = d
    return far


# sum-dist: one-pass
def sum_distance(a, b):
    total = 0
    for i in range(len(a)):
        total += abs(a[i] - b[i])
    return total


def sum_distance_branch(a, b):
    total = 0.0
    for x, y in zip(a, b):
        if x > y:
            total += x - y
        else:
            total += y - x
    return total
