# may: LOC303 any scope=Mixed.filtered
import torch


class Mixed:
    def __init__(self):
        self.v = torch.tensor([1.0, 2.0, 1.0], dtype=torch.float64)

    def filtered(self, x: torch.Tensor):
        n = len(x)
        out = torch.zeros(n, dtype=x.dtype)
        for i in range(1, n - 3):
            for j in range(len(self.v)):
                out[i] += x[i + j - 1] * self.v[j]
        return out


class Widening:
    def widen(self):
        self.v = torch.tensor([1.0, 2.0, 1.0, 3.0], dtype=torch.float64)
        return self


class Wide(Widening, Mixed):
    pass


def cases(rng):
    draw = lambda n: torch.tensor(rng.normal(size=n))
    yield "Mixed().filtered", (draw(9),), {}
    yield "lambda x: Wide().widen().filtered(x)", (draw(9),), {}
