# expect: ASC101 safe scope=below
# expect: ASC101 safe scope=beside
# expect: ASC101 safe scope=backward
# expect: ASC101 safe scope=turned_round
# expect: ASC101 safe scope=of_a_part
# expect: ASC103 safe scope=read
import torch


def below(x: torch.Tensor, a: float):
    steps, batch, width = x.shape
    h = torch.zeros(batch, width)
    seen = []
    for u in x:
        h = a * h + u
        seen.append(h)
    return torch.cat(seen, dim=0)


def beside(x: torch.Tensor, a: float):
    steps, batch, width = x.shape
    h = torch.zeros(batch, width)
    seen = []
    for u in x:
        h = a * h + u
        seen.append(h)
    return torch.cat(seen, dim=-1)


def backward(x: torch.Tensor, a: float):
    steps, batch, width = x.shape
    h = torch.zeros(batch, width)
    seen = []
    for t in reversed(range(steps)):
        h = a * h + x[t]
        seen.append(h)
    return torch.cat(seen[::-1], dim=1)


def turned_round(x: torch.Tensor, a: float):
    steps, batch, width = x.shape
    h = torch.zeros(batch, width)
    seen = []
    for t in range(steps):
        h = a * h + x[t]
        seen.append(h)
    seen.reverse()
    return torch.cat(seen)


def of_a_part(x: torch.Tensor, a: float):
    steps, batch, width = x.shape
    h = torch.zeros(batch, width)
    seen = []
    for t in range(steps):
        h = a * h + x[t]
        seen.append(h[:, :2])
    return torch.cat(seen)


def read(q, k, v):
    batch, steps, width = q.shape
    state = torch.zeros(batch, width, v.shape[-1])
    seen = []
    for t in range(steps):
        state = state + k[:, t, :, None] * v[:, t, None, :]
        seen.append(torch.einsum("bd,bde->be", q[:, t], state))
    return torch.cat(seen, dim=-1)


def cases(rng):
    def of(*shape):
        return torch.tensor(rng.random(shape), dtype=torch.float32, requires_grad=True)

    for steps in (1, 5):
        for name in ("below", "beside", "backward", "turned_round", "of_a_part"):
            yield f"lambda x, a: {name}(x, a).view(-1)", (of(steps, 2, 3), 0.9), {}
        yield "read", (of(2, steps, 3), of(2, steps, 3), of(2, steps, 4)), {}
