# may: LOC303 any scope=Weighted.filtered
import torch


class Weighted:
    def __init__(self):
        self.w = torch.tensor([1.0, 2.0, 1.0], dtype=torch.float64)

    def configure(self, **given):
        for name, value in given.items():
            setattr(self, name, value)
        return self

    def filtered(self, x: torch.Tensor):
        n = len(x)
        out = torch.zeros(n, dtype=x.dtype)
        for i in range(1, n - 3):
            for j in range(len(self.w)):
                out[i] += x[i + j - 1] * self.w[j]
        return out


def cases(rng):
    draw = lambda n: torch.tensor(rng.normal(size=n))
    yield "Weighted().filtered", (draw(9),), {}
    yield "lambda w, x: Weighted().configure(w=w).filtered(x)", (draw(4), draw(9)), {}
    yield "lambda w, x: Weighted().configure(w=w).filtered(x)", (draw(2), draw(9)), {}
