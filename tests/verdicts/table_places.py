"""Loops whose state is a place in a table, half of them near misses. The comments above each
function are what the audit must say about it."""

import numpy as np


# associativity: holds proof "place in table"
def automaton(xs: list[int], table):
    s = 0
    for x in xs:
        s = table[s][x]
    return s


# associativity: holds proof "place in delta"
def of_arrays(xs: np.ndarray, delta: np.ndarray, s: int):
    for x in xs:
        s = delta[s, x]
    return s


# associativity: holds proof "place in table"
def of_letters(text: str, table: list[list[int]]):
    state, hits = 0, 0
    for c in text:
        state = table[state][ord(c) - 97]
        if state == 3:
            hits += 1
    return hits


# associativity: holds proof "place in go"
def costs_on_the_way(xs, go, cost):
    s, total = 0, 0.0
    for x in xs:
        total += cost[s][x]
        s = go[s][x]
    return total


# associativity: holds proof "place in go"
def some_steps(xs, go):
    s = 0
    for x in xs:
        if x >= 0:
            s = go[s][x]
    return s


# associativity: holds proof "places in a, b"
def two_places(xs, a, b):
    i, j = 0, 0
    for x in xs:
        i, j = a[i, j, x], b[i, j, x]
    return i


# associativity: unknown|fails
def moved_first(xs, go):
    s = 0
    for x in xs:
        s = go[s + x]
    return s


# associativity: unknown|fails
def table_changed(xs, go):
    s = 0
    for x in xs:
        go[s] = x
        s = go[x]
    return s


# associativity: unknown|fails
def table_changed_by_column(xs, go):
    s = 0
    for x in xs:
        s = go[x][s]
        go[x][0] = s
    return s


# associativity: unknown|fails
def looked_up_in_one_branch(xs, go):
    s = 0
    for x in xs:
        s = go[s] if s < x else s * s
    return s


# associativity: unknown|fails
def table_by_the_state(xs, table_of):
    s = 0
    for x in xs:
        s = table_of(s)[x]
    return s


# associativity: unknown|fails
def list_that_grows(xs):
    s = 0
    seen = []
    for x in xs:
        seen.append(x)
        s = seen[s] % len(seen)
    return s


# associativity: unknown|fails
def beside_a_square(xs, go):
    s, h = 0, 0.3
    for x in xs:
        h = h * h + go[s][x]
        s = go[s][x]
    return h
