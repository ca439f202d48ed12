# refuse: RED502 the coordinates are zeros only where the object is made
import numpy as np


class Swarm:
    def __init__(self, count: int, rng):
        self.places = np.zeros((count, 2))
        self.places[:, 1] = rng.normal(size=count)
        self.speeds = np.zeros((count, 2))
        self.pull = np.eye(2)

    def spread(self):
        across = np.subtract.outer(self.places[:, 0], self.places[:, 0])
        along = np.subtract.outer(self.places[:, 1], self.places[:, 1])
        return np.hypot(across, along)

    def faster(self, by: np.ndarray):
        np.add(self.speeds, by, out=self.speeds)
        up = np.linalg.norm(self.speeds[:, 0])
        return up, np.linalg.norm(self.speeds[:, 1])

    def turned(self, x: np.ndarray):
        for row in self.pull:
            row += x
        return self.pull @ x, np.eye(2) @ x


def swarm(count: int):
    return Swarm(count, np.random.default_rng(1))


def cases(rng):
    yield "swarm(4).spread", (), {}
    yield "swarm(3).faster", (rng.normal(size=(3, 2)),), {}
    yield "swarm(3).turned", (rng.normal(size=2),), {}
