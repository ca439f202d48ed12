"""Farzan and Nicolet, "Modular Divide-and-Conquer Parallelization of Nested Loops" (PLDI 2019)."""

import numpy as np


# sum-2d: one-pass
def sum_rows(a):
    total = 0
    for row in a:
        for x in row:
            total += x
    return total


def sum_indexed(a):
    total = 0.0
    for i in range(a.shape[0]):
        row = 0.0
        for j in range(a.shape[1]):
            row += a[i, j]
        total += row
    return total


# min-2d: one-pass
def min_rows(a):
    least = float("inf")
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            least = min(least, a[i, j])
    return least


def min_branch(a):
    least = float("inf")
    for row in a:
        for x in row:
            if x < least:
                least = x
    return least


# max-2d: one-pass
def max_rows(a):
    top = float("-inf")
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] > top:
                top = a[i, j]
    return top


def max_of_rows(a):
    top = float("-inf")
    for i in range(a.shape[0]):
        row = float("-inf")
        for j in range(a.shape[1]):
            row = max(row, a[i, j])
        top = max(top, row)
    return top


# max-min: one-pass
def max_of_minima(a):
    top = float("-inf")
    for i in range(a.shape[0]):
        low = float("inf")
        for j in range(a.shape[1]):
            low = min(low, a[i, j])
        top = max(top, low)
    return top


def max_of_minima_rows(a):
    top = float("-inf")
    for row in a:
        low = float("inf")
        for x in row:
            if x < low:
                low = x
        if low > top:
            top = low
    return top


# min-max: one-pass
def min_of_maxima(a):
    least = float("inf")
    for i in range(a.shape[0]):
        least = min(least, max(a[i, j] for j in range(a.shape[1])))
    return least


def min_of_maxima_array(a):
    least = np.inf
    for i in range(a.shape[0]):
        least = np.minimum(least, a[i].max())
    return least


# min-max-col: one-pass
def min_max_column(a):
    tops = np.full(a.shape[1], -np.inf)
    for i in range(a.shape[0]):
        tops = np.maximum(tops, a[i])
    return tops.min()


def min_max_column_loops(a):
    """A column vector that is updated in place."""
    tops = np.full(a.shape[1], -np.inf)
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            tops[j] = max(tops[j], a[i, j])
    return tops.min()


# mtrs: one-pass
def max_top_strip(a):
    total = best = 0.0
    for i in range(a.shape[0]):
        row = 0.0
        for j in range(a.shape[1]):
            row += a[i, j]
        total += row
        best = max(best, total)
    return best


def max_top_strip_array(a):
    total, best = 0.0, 0.0
    for i in range(a.shape[0]):
        total = total + a[i].sum()
        if total > best:
            best = total
    return best


# mbrs: one-pass
def max_bottom_strip(a):
    best = 0.0
    for i in range(a.shape[0]):
        row = 0.0
        for j in range(a.shape[1]):
            row += a[i, j]
        best = max(best + row, 0.0)
    return best


def max_bottom_strip_array(a):
    best = 0.0
    for i in range(a.shape[0]):
        best += a[i].sum()
        if best < 0:
            best = 0.0
    return best


# max-strip: one-pass
def max_segment_strip(a):
    tail = best = 0.0
    for i in range(a.shape[0]):
        row = 0.0
        for j in range(a.shape[1]):
            row += a[i, j]
        tail = max(tail + row, 0.0)
        best = max(best, tail)
    return best


def max_segment_strip_rows(a):
    tail, best = 0.0, 0.0
    for i in range(len(a)):
        tail = np.maximum(tail + np.sum(a[i]), 0.0)
        best = np.maximum(best, tail)
    return best


# mss-2d: one-pass
def max_segment_flat(a):
    tail = best = 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            tail = max(tail + a[i, j], 0.0)
            best = max(best, tail)
    return best


def max_segment_rows(a):
    tail = 0.0
    best = 0.0
    for i in range(a.shape[0]):
        row = a[i]
        for j in range(a.shape[1]):
            tail = tail + row[j]
            if tail < 0.0:
                tail = 0.0
            if tail > best:
                best = tail
    return best


# mps-2d: one-pass
def max_prefix_flat(a):
    total = best = 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            total += a[i, j]
            best = max(best, total)
    return best


def max_prefix_rows(a):
    total, best = 0.0, 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            best = max(best, total + a[i, j])
            total = total + a[i, j]
    return best


# mtls: one-pass
def max_top_left(a):
    columns = np.zeros(a.shape[1])
    best = 0.0
    for i in range(a.shape[0]):
        columns = columns + np.cumsum(a[i])
        best = max(best, columns.max())
    return best


def max_top_left_array(a):
    columns = np.zeros(a.shape[1])
    tops = np.zeros(a.shape[1])
    for i in range(a.shape[0]):
        columns = columns + np.cumsum(a[i])
        tops = np.maximum(tops, columns)
    return tops.max()


# max-left-strip: one-pass
def max_left_strip(a):
    columns = np.zeros(a.shape[1])
    for i in range(a.shape[0]):
        columns = columns + np.cumsum(a[i])
    return columns.max()


def max_left_strip_rows(a):
    columns = np.zeros(a.shape[1])
    for row in a:
        columns += np.cumsum(row)
    return columns.max()


# column-mss: one-pass
def column_segments(a):
    tails = np.zeros(a.shape[1])
    best = np.zeros(a.shape[1])
    for i in range(a.shape[0]):
        tails = np.maximum(tails + a[i], 0.0)
        best = np.maximum(best, tails)
    return best


def column_segments_loops(a):
    """The columns in place, the best one a number."""
    tails = np.zeros(a.shape[1])
    best = 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            tails[j] = max(0.0, tails[j] + a[i, j])
            best = max(best, tails[j])
    return best


def column_tails(a):
    tails = np.zeros(a.shape[1])
    for i in range(a.shape[0]):
        tails = np.maximum(tails, 0.0) + a[i]
    return tails


# rectangles: one-pass
def rectangle_area(boxes):
    """After the benchmarks on lists of rectangles: the extents of their union's hull."""
    left = bottom = float("inf")
    right = top = float("-inf")
    for i in range(boxes.shape[0]):
        left = min(left, boxes[i, 0])
        bottom = min(bottom, boxes[i, 1])
        right = max(right, boxes[i, 2])
        top = max(top, boxes[i, 3])
    return (right - left) * (top - bottom)


def rectangle_intersection(x0, y0, x1, y1):
    left = bottom = float("-inf")
    right = top = float("inf")
    for i in range(len(x0)):
        left = max(left, x0[i])
        bottom = max(bottom, y0[i])
        right = min(right, x1[i])
        top = min(top, y1[i])
    return left < right and bottom < top


# intersecting-ranges: one-pass
def intersecting_ranges(low, high):
    a, b = float("-inf"), float("inf")
    ok = True
    for i in range(len(low)):
        a = max(a, low[i])
        b = min(b, high[i])
    ok = a <= b
    return ok


def intersecting_pairs(ranges):
    a, b = float("-inf"), float("inf")
    for i in range(ranges.shape[0]):
        if ranges[i, 0] > a:
            a = ranges[i, 0]
        if ranges[i, 1] < b:
            b = ranges[i, 1]
    return a <= b


# increasing-ranges: one-pass
def increasing_ranges(low, high):
    ok, last = True, float("-inf")
    for i in range(len(low)):
        ok = ok and last <= low[i]
        last = high[i]
    return ok


def increasing_ranges_maximum(ranges):
    ok, last = True, float("-inf")
    for i in range(ranges.shape[0]):
        if ranges[i, 0] < last:
            ok = False
        last = max(last, ranges[i, 1])
    return ok


# sorted-strips: one-pass
def sorted_strips(a):
    ok, last = True, float("-inf")
    for i in range(a.shape[0]):
        row = 0.0
        for j in range(a.shape[1]):
            row += a[i, j]
        ok = ok and last <= row
        last = row
    return ok


def sorted_strips_array(a):
    ok, last = True, -np.inf
    for i in range(a.shape[0]):
        total = a[i].sum()
        if total < last:
            ok = False
        last = total
    return ok


# balanced-2d: one-pass
def balanced_lines(a):
    """After "bp": the brackets of all lines taken together."""
    depth, ok = 0, True
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            depth += 1 if a[i, j] == 1 else -1
            if depth < 0:
                ok = False
    return ok and depth == 0


def balanced_rows(lines):
    """After "bp": each line closes what it opens."""
    ok = True
    for i in range(lines.shape[0]):
        depth = 0
        for j in range(lines.shape[1]):
            depth += lines[i, j]
        ok = ok and depth == 0
    return ok


# gradient: one-pass
def vertical_gradient(a):
    ok = True
    for i in range(1, a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] < a[i - 1, j]:
                ok = False
    return ok


def diagonal_gradient(a):
    ok = True
    for i in range(1, a.shape[0]):
        for j in range(1, a.shape[1]):
            ok = ok and a[i - 1, j - 1] <= a[i, j]
    return ok


# mode-count: one-pass
def count_of_value(a, wanted):
    """After "mode": how often one value occurs."""
    count = 0
    for row in a:
        for x in row:
            if x == wanted:
                count += 1
    return count


def count_in_rows(a, wanted):
    count = 0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            count += a[i, j] == wanted
    return count


# max-distance-2d: one-pass
def max_distance(a, b):
    far = 0.0
    for i in range(a.shape[0]):
        for j in range(b.shape[0]):
            far = max(far, abs(a[i] - b[j]))
    return far


def max_distance_rows(a, b):
    far = 0.0
    for i in range(a.shape[0]):
        row = 0.0
        for j in range(b.shape[0]):
            row = max(row, (a[i] - b[j]) ** 2)
        far = max(far, row)
    return far


# summed-maxima: one-pass
def sum_of_row_maxima(a):
    total = 0.0
    for i in range(a.shape[0]):
        top = float("-inf")
        for j in range(a.shape[1]):
            top = max(top, a[i, j])
        total += top
    return total


def sum_of_row_maxima_array(a):
    total = 0.0
    for i in range(a.shape[0]):
        total += a[i].max()
    return total


# sum-of-mps: one-pass
def sum_of_row_prefixes(a):
    total = 0.0
    for i in range(a.shape[0]):
        running, best = 0.0, 0.0
        for j in range(a.shape[1]):
            running += a[i, j]
            best = max(best, running)
        total += best
    return total


def max_of_row_segments(a):
    best = 0.0
    for i in range(a.shape[0]):
        tail, top = 0.0, 0.0
        for j in range(a.shape[1]):
            tail = max(tail + a[i, j], 0.0)
            top = max(top, tail)
        best = max(best, top)
    return best


# lcs-row: fails
def nested_reset(a):
    """The inner loop's start depends on a branch on the state."""
    total = 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if total > 10.0:
                total = 0.0
            total += a[i, j] * total
    return total


def nested_product(a):
    total = 1.0
    for i in range(a.shape[0]):
        row = 0.0
        for j in range(a.shape[1]):
            row += a[i, j] * total
        total = row * total
    return total
