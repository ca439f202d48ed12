# refuse: SEP207 the rest of the vectors, all of them, or those of two matrices
import numpy as np


def rest(table, left_out: int):
    u, s, vh = np.linalg.svd(table, full_matrices=False)
    return (u[:, left_out:] * s[left_out:]) @ vh[left_out:]


def whole(table):
    u, s, vh = np.linalg.svd(table)
    rank = len(s)
    return (u[:, :rank] * s) @ vh[:rank]


def smaller(table):
    u, s, vh = np.linalg.svd(table)
    rank = min(table.shape)
    return (u[:, :rank] * s) @ vh[:rank]


def mixed(table, other, rank: int):
    u, s, _ = np.linalg.svd(table, full_matrices=False)
    _, _, vh = np.linalg.svd(other, full_matrices=False)
    return (u[:, :rank] * s[:rank]) @ vh[:rank]


def thin(table, x, rank: int):
    u, s, vh = np.linalg.svd(table, full_matrices=False)
    return (u[:, :rank] * s[:rank]) @ (vh[:rank] @ x)


def cases(rng):
    table = rng.standard_normal((5, 4))
    yield "rest", (table, 2), {}
    yield "whole", (table,), {}
    yield "smaller", (table,), {}
    yield "mixed", (table, rng.standard_normal((5, 4)), 2), {}
    yield "thin", (table, rng.standard_normal(4), 2), {}
