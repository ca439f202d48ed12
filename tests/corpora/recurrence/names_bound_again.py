# expect: ASC101 safe scope=there_and_back
# expect: ASC101 safe scope=in_a_branch
import torch


def there_and_back(x: torch.Tensor, y: torch.Tensor, a: torch.Tensor):
    h, out = torch.zeros(x.shape[1]), torch.zeros_like(x)
    for t in range(x.shape[0]):
        gate = a[t].sigmoid()
        h = gate * h + x[t]
        out[t] = h
    best = torch.zeros(())
    for t in range(y.shape[0]):
        gate = y[t].tanh()
        best = torch.sin(best + (gate * out[t]).sum())
    return out, best


def in_a_branch(x: torch.Tensor, a: torch.Tensor, again: bool):
    h, out = torch.zeros(x.shape[1]), torch.zeros_like(x)
    for t in range(x.shape[0]):
        gate = a[t].sigmoid()
        h = gate * h + x[t]
        out[t] = h
    if again:
        gate = a.sum().sigmoid()
        out = out * gate
    return out


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)
    for n in (1, 2, 9):
        yield "there_and_back", (draw(n, 3), draw(n, 3), draw(n, 3)), {}
        for again in (False, True):
            yield "in_a_branch", (draw(n, 3), draw(n, 3), again), {}
