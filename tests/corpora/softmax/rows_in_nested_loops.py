# expect: ASC107 safe scope=of_rows
# expect: ASC107 safe scope=of_lists_of_rows
# expect: ASC107 safe scope=of_named_rows
"""Rows are normalised one by one, in loops over all axes but the last; nothing counts the axes."""

import numpy as np


def of_rows(x):
    out = np.empty_like(x)
    for b in range(x.shape[0]):
        for i in range(x.shape[1]):
            row = np.exp(x[b, i] - x[b, i].max())
            out[b, i] = row / row.sum()
    return out


def of_lists_of_rows(x):
    out = np.empty_like(x)
    for b in range(len(x)):
        for i in range(len(x[b])):
            row = np.exp(x[b][i] - x[b][i].max())
            out[b][i] = row / row.sum()
    return out


def of_named_rows(scores):
    weights = np.zeros_like(scores)
    heads, queries = scores.shape[:2]
    for h in range(heads):
        for q in range(queries):
            s = scores[h, q]
            s = np.exp(s - np.max(s))
            weights[h, q] = s / np.sum(s)
    return weights


def cases(rng):
    for shape in ((2, 3, 5), (1, 1, 4), (3, 2, 1)):
        yield "of_rows", (rng.standard_normal(shape),), {}
        yield "of_lists_of_rows", (rng.standard_normal(shape),), {}
        yield "of_named_rows", (rng.standard_normal(shape),), {}
