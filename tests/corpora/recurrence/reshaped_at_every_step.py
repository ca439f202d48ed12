# expect: ASC103 safe scope=heads_side_by_side
# expect: ASC103 safe scope=steps_first
# expect: ASC101 safe scope=steps_last
# expect: ASC101 safe scope=turned_first
# expect: ASC101 safe scope=all_in_one
# expect: ASC101 safe scope=factor_of_heads
# expect: ASC101 safe scope=by_heads
import torch


def heads_side_by_side(q, k, v):
    batch, steps, heads, width = q.shape
    out = v.shape[-1]
    state = torch.zeros(batch, heads, width, out)
    seen = []
    for t in range(steps):
        state = state + k[:, t, :, :, None] * v[:, t, :, None, :]
        read = torch.einsum("bhd,bhde->bhe", q[:, t], state)
        seen.append(read.reshape(batch, heads * out))
    return torch.stack(seen, dim=1)


def steps_first(q, k, v):
    batch, steps, heads, width = q.shape
    out = v.shape[-1]
    state = torch.zeros(batch, heads, width, out)
    seen = []
    for t in range(steps):
        state = state + k[:, t, :, :, None] * v[:, t, :, None, :]
        seen.append(torch.einsum("bhd,bhde->bhe", q[:, t], state).flatten(1))
    return torch.stack(seen)


def steps_last(x: torch.Tensor, a: float):
    batch, steps, heads, width = x.shape
    h = torch.zeros(batch, heads, width)
    seen = []
    for t in range(steps):
        h = a * h + x[:, t]
        seen.append(h.view(batch, -1))
    return torch.stack(seen, dim=-1)


def turned_first(x: torch.Tensor, a: float):
    batch, steps, heads, width = x.shape
    h = torch.zeros(batch, heads, width)
    seen = []
    for t in range(steps):
        h = a * h + x[:, t]
        seen.append(h.transpose(1, 2).reshape(batch, -1))
    return torch.stack(seen, dim=1)


def all_in_one(x: torch.Tensor, a: float):
    batch, steps, heads, width = x.shape
    h = torch.zeros(batch, heads, width)
    seen = []
    for t in range(steps):
        h = a * h + x[:, t]
        seen.append(h.reshape(-1))
    return torch.stack(seen)


def factor_of_heads(x: torch.Tensor, a: torch.Tensor):
    batch, steps, width = x.shape
    heads, own = a.shape
    h = torch.zeros(batch, heads * own)
    seen = []
    for t in range(steps):
        h = (h.view(batch, heads, own) * a).reshape(batch, heads * own) + x[:, t]
        seen.append(h)
    return torch.stack(seen, dim=1)


def by_heads(x: torch.Tensor, w: torch.Tensor, a: float):
    batch, steps, width = x.shape
    heads, own = w.shape
    h = torch.zeros(batch, heads * own)
    seen = []
    for t in range(steps):
        h = a * h + x[:, t]
        seen.append(h.reshape(batch, heads, own) * w)
    return torch.stack(seen, dim=1)


def cases(rng):
    def of(*shape):
        return torch.tensor(rng.random(shape), dtype=torch.float32, requires_grad=True)

    for steps in (1, 5):
        for name in ("heads_side_by_side", "steps_first"):
            yield name, (of(2, steps, 2, 3), of(2, steps, 2, 3), of(2, steps, 2, 4)), {}
        for name in ("steps_last", "turned_first", "all_in_one"):
            yield name, (of(2, steps, 2, 3), 0.9), {}
        yield "factor_of_heads", (of(2, steps, 6), of(2, 3)), {}
        yield "by_heads", (of(2, steps, 6), of(2, 3), 0.9), {}
