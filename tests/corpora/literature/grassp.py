"""Fedyukovich, Ahmad and Bodik, "Gradual Synthesis for Static Parallelization of Single-Pass
Array-Processing Programs" (PLDI 2017, GraSSP)."""

import numpy as np


# search: one-pass
def search_flag(a, wanted):
    found = False
    for i in range(len(a)):
        if a[i] == wanted:
            found = True
    return found


def search_or(xs, wanted):
    found = False
    for x in xs:
        found = found or x == wanted
    return found


# all-equal: one-pass
def all_equal_previous(xs):
    same, last = True, None
    first = True
    for x in xs:
        if not first and x != last:
            same = False
        last = x
        first = False
    return same


def all_equal_neighbours(a):
    same = True
    for i in range(1, len(a)):
        same = same and a[i] == a[i - 1]
    return same


# count-min: one-pass
def count_minima(a):
    """How often the least element occurs."""
    least, count = float("inf"), 0
    for i in range(len(a)):
        if a[i] < least:
            least = a[i]
            count = 1
        elif a[i] == least:
            count += 1
    return count


def count_maxima(xs):
    top, count = float("-inf"), 0
    for x in xs:
        if x > top:
            top, count = x, 1
        elif x == top:
            count = count + 1
    return count


# even-odd-sum: one-pass
def even_sum(a):
    total = 0
    for i in range(len(a)):
        if a[i] % 2 == 0:
            total += a[i]
    return total


def even_minus_odd(xs):
    difference = 0
    for x in xs:
        difference += x if x % 2 == 0 else -x
    return difference


# parity: one-pass
def parity_of_ones(bits):
    odd = False
    for b in bits:
        if b == 1:
            odd = not odd
    return odd


def parity_number(bits):
    odd = 0
    for i in range(len(bits)):
        odd = (odd + bits[i]) % 2
    return odd


# alternation: one-pass
def alternates(bits):
    ok, last = True, -1
    for b in bits:
        ok = ok and b != last
        last = b
    return ok


def alternates_indexed(a):
    ok = True
    for i in range(1, len(a)):
        if a[i] == a[i - 1]:
            ok = False
    return ok


# sum-after-first: one-pass
def sum_after_marker(xs, marker):
    """Counts what comes after the first marker."""
    seen, total = False, 0
    for x in xs:
        if seen:
            total += x
        if x == marker:
            seen = True
    return total


def sum_between_markers(xs, opening, closing):
    inside, total = False, 0
    for i in range(len(xs)):
        if xs[i] == opening:
            inside = True
        elif xs[i] == closing:
            inside = False
        elif inside:
            total += xs[i]
    return total


# delta-max: one-pass
def largest_step(xs):
    far, last = 0.0, 0.0
    for i in range(len(xs)):
        far = max(far, abs(xs[i] - last))
        last = xs[i]
    return far


def smallest_step(a):
    near = float("inf")
    for i in range(1, len(a)):
        d = abs(a[i] - a[i - 1])
        if d < near:
            near = d
    return near


# mss-variants: one-pass
def max_product_block(bits):
    run, longest = 0, 0
    for b in bits:
        if b:
            run += 1
            longest = max(longest, run)
        else:
            run = 0
    return longest


def longest_equal_run(a):
    run = longest = 1
    for i in range(1, len(a)):
        run = run + 1 if a[i] == a[i - 1] else 1
        longest = max(longest, run)
    return longest


# third-smallest: one-pass
def third_smallest(xs):
    a = b = c = float("inf")
    for x in xs:
        if x < a:
            a, b, c = x, a, b
        elif x < b:
            b, c = x, b
        elif x < c:
            c = x
    return c


def third_largest(xs):
    a = b = c = -np.inf
    for i in range(len(xs)):
        c = np.maximum(c, np.minimum(b, xs[i]))
        b = np.maximum(b, np.minimum(a, xs[i]))
        a = np.maximum(a, xs[i])
    return c


# regular-language: one-pass
def accepts_ab_star(s):
    """(ab)*"""
    state = 0
    for c in s:
        if state == 0 and c == "a":
            state = 1
        elif state == 1 and c == "b":
            state = 0
        else:
            state = 2
    return state == 0


def accepts_no_double(bits):
    ok = True
    last = False
    for b in bits:
        if b and last:
            ok = False
        last = bool(b)
    return ok
