# refuse: asking for the rate is counted by a class that derives from this one
import torch


class Decay:
    rate = 0.5

    def run(self, x: torch.Tensor):
        h = torch.zeros(3)
        out = []
        for t in range(x.shape[0]):
            h = self.rate * h + x[t]
            out.append(h)
        return torch.stack(out)


class Annealed(Decay):
    asked = 0

    @property
    def rate(self):
        self.asked += 1
        return 1.0 / self.asked


def cases(rng):
    x = torch.tensor(rng.standard_normal((6, 3)), dtype=torch.float32)
    yield "Decay().run", (x,), {}
    yield "Annealed().run", (x,), {}
