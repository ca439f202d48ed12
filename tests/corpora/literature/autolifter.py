"""Ji et al., "Decomposition-based Synthesis for Applying Divide-and-Conquer-like Algorithmic
Paradigms" (AutoLifter): divide and conquer, single pass, longest segments, segment trees."""

import numpy as np
import torch


# sum-and-max: one-pass
def sum_and_max(xs):
    total, top = 0, float("-inf")
    for x in xs:
        total, top = total + x, max(top, x)
    return total, top


def sum_and_max_tensor(a):
    total = torch.zeros(())
    top = torch.full((), float("-inf"))
    for i in range(a.shape[0]):
        total = total + a[i]
        top = torch.maximum(top, a[i])
    return total, top


# max-tail-sum: one-pass
def max_tail_sum(xs):
    tail = float("-inf")
    for x in xs:
        tail = max(tail, 0) + x
    return tail


def max_tail_sum_branch(a):
    tail = a[0]
    for i in range(1, len(a)):
        tail = tail + a[i] if tail > 0 else a[i]
    return tail


# min-prefix: one-pass
def min_prefix_position(xs):
    total, low, place = 0, 0, 0
    for i in range(len(xs)):
        total += xs[i]
        if total < low:
            low = total
            place = i + 1
    return place


def min_prefix(xs):
    total, low = 0.0, 0.0
    for x in xs:
        total += x
        if total <= low:
            low = total
    return low


# min-segment: one-pass
def min_segment(xs):
    tail, low = 0, 0
    for x in xs:
        tail = min(tail + x, 0)
        low = min(low, tail)
    return low


def both_segments(xs):
    """The largest absolute sum of a segment."""
    total, low, high = 0.0, 0.0, 0.0
    for x in xs:
        total += x
        low = min(low, total)
        high = max(high, total)
    return high - low


# scan-first-negative: one-pass
def all_positive_prefix(xs):
    positive, n = True, 0
    for x in xs:
        positive = positive and x > 0
        if positive:
            n += 1
    return n


def count_leading(a, value):
    going, n = True, 0
    for i in range(len(a)):
        if a[i] != value:
            going = False
        n += 1 if going else 0
    return n


# sum-of-prefix-maxima-bound: one-pass
def xor_sum(xs):
    total = 0
    for x in xs:
        total = (total + x) % 1000003
    return total


def rolling_hash(text):
    h = 0
    for c in text:
        h = (h * 31 + ord(c)) % 1000000007
    return h


# number-of-records: staged
def number_of_records(xs):
    top, count = float("-inf"), 0
    for x in xs:
        if x > top:
            count += 1
        top = max(top, x)
    return count


def number_of_records_branch(a):
    top, count = a[0], 1
    for i in range(1, len(a)):
        if a[i] > top:
            top = a[i]
            count += 1
    return count


# longest-bounded-segment: one-pass
def longest_segment_below(xs, bound):
    run, best = 0, 0
    for x in xs:
        if x <= bound:
            run += 1
        else:
            run = 0
        best = max(best, run)
    return best


def heaviest_segment_below(xs, bound):
    weight, best = 0.0, 0.0
    for i in range(len(xs)):
        weight = weight + xs[i] if xs[i] <= bound else 0.0
        best = np.maximum(best, weight)
    return best


# segment-tree-affine: one-pass
def affine_updates(scale, shift, x):
    for i in range(len(scale)):
        x = scale[i] * x + shift[i]
    return x


def affine_updates_modulo(scale, shift):
    x = 0
    for a, b in zip(scale, shift):
        x = (int(a) * x + int(b)) % 998244353
    return x


# zero-one-blocks: one-pass
def count_blocks(bits):
    blocks, last = 0, -1
    for b in bits:
        if b != last:
            blocks += 1
        last = b
    return blocks


def count_blocks_indexed(a):
    blocks = 1
    for i in range(1, len(a)):
        if a[i] != a[i - 1]:
            blocks += 1
    return blocks


# min-max-index: one-pass
def extremes_with_places(a):
    low, high, at_low, at_high = float("inf"), float("-inf"), -1, -1
    for i in range(len(a)):
        if a[i] < low:
            low, at_low = a[i], i
        if a[i] > high:
            high, at_high = a[i], i
    return at_low, at_high


def place_of_largest_sum(a, b):
    best, place = float("-inf"), -1
    for i in range(len(a)):
        s = a[i] + b[i]
        if s > best:
            best = s
            place = i
    return place


# product-signs: one-pass
def product(xs):
    p = 1.0
    for x in xs:
        p *= x
    return p


def max_product_prefix(xs):
    p, total = 1.0, 0.0
    for i in range(len(xs)):
        p = p * xs[i]
        total = total + p
    return total


# interval-state: one-pass
def prefix_average(xs):
    out, total = [], 0.0
    for i in range(len(xs)):
        total += xs[i]
        out.append(total / (i + 1))
    return out


def exponential_and_peak(xs):
    level, peak = 0.0, float("-inf")
    for x in xs:
        level = 0.5 * level + x
        peak = max(peak, x)
    return level, peak
