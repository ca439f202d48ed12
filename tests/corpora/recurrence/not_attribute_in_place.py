# refuse: the state is the object's own array, changed in place
import torch


class Filter:
    def __init__(self):
        self.h = torch.zeros(3)

    def run(self, x):
        steps, width = x.shape
        h = self.h
        out = []
        for t in range(steps):
            h *= 0.5
            h += x[t]
            out.append(h.clone())
        return torch.stack(out)


def twice(x):
    made = Filter()
    return made.run(x), made.run(x), made.h


def cases(rng):
    draw = lambda *s: torch.tensor(rng.random(s), dtype=torch.float32)
    yield "twice", (draw(5, 3),), {}
    yield "twice", (draw(1, 3),), {}
