# expect: ASC101 safe scope=Filter.run
import torch


class Filter:
    def __init__(self, n, a):
        self.state = torch.zeros(n)
        self.a = a

    def run(self, x):
        ys = []
        for t in range(x.shape[0]):
            self.state = self.a * self.state + x[t]
            ys.append(self.state)
        return torch.stack(ys)


def cases(rng):
    yield "Filter(3, 0.9).run", (torch.randn(6, 3),), {}
