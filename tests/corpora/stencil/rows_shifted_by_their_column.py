# expect: LOC306 safe scope=shifted
# expect: LOC306 safe scope=by_interval
import numpy as np


def shifted(table, rows: int, columns: int):
    kept = np.empty((rows, columns))
    for i in range(columns):
        for j in range(rows):
            kept[j, i] = table[i + j, i]
    return kept


def by_interval(table, parts: int, intervals: int):
    kept = np.empty((len(table), parts, intervals))
    for i in range(intervals):
        for part in range(parts):
            kept[:, part, i] = table[:, i + part * intervals, i]
    return kept


def cases(rng):
    for rows, columns in ((4, 3), (1, 3), (3, 1)):
        yield "shifted", (rng.standard_normal((rows + columns, columns)), rows, columns), {}
        yield "by_interval", (rng.standard_normal((2, rows * columns, columns)), rows, columns), {}
