# expect: ASC101 safe scope=run
# expect: ASC101 safe scope=run_or_call
import torch


def run(x: torch.Tensor, a: torch.Tensor, fast: bool):
    h = torch.zeros(x.shape[0], x.shape[2])
    if fast:
        ys = x * 2
        h = x[:, -1] + 0
    else:
        out = []
        for t in range(x.shape[1]):
            h = a * h + x[:, t]
            out.append(h)
        ys = torch.stack(out, 1)
    return ys, h


def run_or_call(x: torch.Tensor, a: torch.Tensor, other=None):
    h = torch.zeros(x.shape[0], x.shape[2])
    if other is None:
        out = []
        for t in range(x.shape[1]):
            h = a * h + x[:, t]
            out.append(h)
        ys = torch.stack(out, 1)
    else:
        ys, h = other(x)
    return ys, h.relu()


def cases(rng):
    for length in (1, 8):
        x = torch.tensor(rng.standard_normal((2, length, 3))).float().requires_grad_()
        a = torch.tensor(rng.random(3)).float().requires_grad_()
        yield "run", (x, a, False), {}
        yield "run", (x, a, True), {}
        yield "run_or_call", (x, a), {}
        yield "run_or_call", (x, a, torch.var_mean), {}
