# expect: SPA401 safe scope=column
# expect: SPA401 safe scope=written_out
# expect: SPA401 unsafe scope=perhaps_many
# expect: SPA401 unsafe scope=perhaps_many_computed
import numpy as np


def column(table: np.ndarray, state: int):
    n, _ = table.shape
    return table @ np.eye(n)[state]


def written_out(table: np.ndarray, places: np.ndarray):
    (count,) = places.shape
    n, _ = table.shape
    return np.einsum("ij,kj->ki", table, np.eye(n)[places])


def perhaps_many(states, transition: np.ndarray):
    n, _ = transition.shape
    return transition @ np.eye(n)[states]


def perhaps_many_computed(states, transition: np.ndarray):
    n, _ = transition.shape
    return transition @ np.eye(n)[states // 2]


def cases(rng):
    table = rng.standard_normal((3, 3))
    yield "column", (table, 1), {}
    yield "written_out", (table, np.array([2, 0, 1])), {}
    yield "written_out", (table, np.array([2, 2])), {}
    yield "perhaps_many", (np.array([0, 0, 1]), table), {}
    yield "perhaps_many_computed", (np.array([0, 2, 5]), table), {}
