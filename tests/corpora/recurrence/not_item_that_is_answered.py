# refuse: asking for an item changes it
import torch


class Annealed(dict):
    def __getitem__(self, key):
        value = super().__getitem__(key)
        self[key] = value * 0.9
        return value


def run(xs: torch.Tensor):
    params = Annealed(a=0.9)
    h = torch.zeros_like(xs[0])
    ys = []
    for x in xs:
        h = params["a"] * h + x
        ys.append(h)
    return torch.stack(ys)


def cases(rng):
    for steps in (1, 2, 41):
        yield "run", (torch.tensor(rng.standard_normal((steps, 4))),), {}
