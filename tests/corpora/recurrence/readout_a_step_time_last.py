# expect: ASC101 safe scope=filtered
# The read-out's rows meet states of three axes, whatever their number.
import torch


def filtered(x: torch.Tensor, c: torch.Tensor):
    batch, heads, width, steps = x.shape
    s = x.new_zeros(batch, heads, width)
    ys = []
    for t in range(steps - 1, -1, -1):
        s = 0.9 * s + x[..., t]
        ys.append(s * c[t])
    return torch.stack(ys, dim=0)


def cases(rng):
    def make(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32, requires_grad=True)

    for rest in ((), (4,), (3, 4), (2, 3, 4)):
        yield "filtered", (make(2, 3, 4, 4), make(4, *rest)), {}
