# refuse: a method reads the attribute at every step
import torch


class Watch:
    def __init__(self):
        self.log = []

    def note(self):
        self.log.append(self.h.clone())

    def run(self, x: torch.Tensor):
        self.h = torch.zeros_like(x[0])
        out = []
        for t in range(x.shape[0]):
            self.h = 0.5 * self.h + x[t]
            self.note()
            out.append(self.h)
        return torch.stack(out)


def watch(x):
    s = Watch()
    y = s.run(x)
    return y, s.log


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    yield "watch", (R(7, 3),), {}
