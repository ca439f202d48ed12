# refuse: the rate is no attribute that is set, but what the class answers
import torch


class Schedule:
    def __init__(self):
        self.asked = 0

    def __getattr__(self, name):
        if name != "rate":
            raise AttributeError(name)
        self.asked += 1
        return 1.0 / self.asked

    def run(self, x: torch.Tensor):
        h = torch.zeros(3)
        out = []
        for t in range(x.shape[0]):
            h = self.rate * h + x[t]
            out.append(h)
        return torch.stack(out)


def cases(rng):
    x = torch.tensor(rng.standard_normal((6, 3)), dtype=torch.float32)
    yield "Schedule().run", (x,), {}
