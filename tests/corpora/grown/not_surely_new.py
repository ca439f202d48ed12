# expect: RED511 unsafe scope=Walk.run
# expect: RED511 unsafe scope=rows
import numpy as np


class Walk:
    def __init__(self, n: int):
        self.state = np.zeros(n)

    def step(self):
        self.state += 1.0

    def run(self, k: int):
        out = np.empty((0, 3))
        for _ in range(k):
            self.step()
            out = np.vstack([out, self.state])
        return out


def stream(n: int):
    buffer = np.zeros(3)
    for i in range(n):
        buffer[:] = i
        yield buffer


def rows(n: int):
    out = np.empty((0, 3))
    for row in stream(n):
        out = np.vstack((out, row))
    return out


def cases(rng):
    yield "Walk(3).run", (4,), {}
    yield "rows", (4,), {}
