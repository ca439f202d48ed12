# expect: ASC101 safe scope=first_two
# expect: ASC101 safe scope=behind_two
# expect: ASC101 safe scope=differences
# expect: ASC101 safe scope=gated
# expect: ASC101 safe scope=last
# expect: ASC101 safe scope=as_many
# expect: ASC105 safe scope=two_columns
# expect: ASC105 safe scope=two_rows
# expect: ASC101 safe scope=two_channels
import torch


def first_two(x: torch.Tensor, a: float):
    batch, steps, width = x.shape
    h = torch.zeros(batch, width)
    seen = []
    for t in range(steps):
        h = a * h + x[:, t]
        seen.append(h[:, :2])
    return torch.stack(seen, dim=1)


def behind_two(x: torch.Tensor, a: float):
    batch, steps, width = x.shape
    h = torch.zeros(batch, width)
    seen = []
    for t in range(steps):
        h = a * h + x[:, t]
        seen.append(h[:, 2:] * 2)
    return torch.stack(seen, dim=1)


def differences(x: torch.Tensor, a: float):
    batch, steps, width = x.shape
    h = torch.zeros(batch, width)
    seen = []
    for t in range(steps):
        h = a * h + x[:, t]
        seen.append(h[:, 1:] - h[:, :-1])
    return torch.stack(seen, dim=1)


def gated(x: torch.Tensor, a: float):
    batch, steps, width = x.shape
    h = torch.zeros(batch, width)
    seen = []
    for t in range(steps):
        h = a * h + x[:, t]
        gate, value = h.chunk(2, dim=-1)
        seen.append(torch.sigmoid(gate) * value)
    return torch.stack(seen, dim=1)


def last(x: torch.Tensor, a: float):
    batch, steps, width = x.shape
    h = torch.zeros(batch, width)
    seen = []
    for t in range(steps):
        h = a * h + x[:, t]
        seen.append(h[:, -1])
    return torch.stack(seen, dim=1)


def as_many(x: torch.Tensor, a: float, names: list):
    steps, width = x.shape
    h = torch.zeros(width)
    seen = []
    for t in range(steps):
        h = a * h + x[t]
        seen.append(h[: len(names)])
    return torch.stack(seen)


def two_columns(q, k, v):
    batch, steps, width = q.shape
    state = torch.zeros(batch, width, v.shape[-1])
    seen = []
    for t in range(steps):
        state = state + k[:, t, :, None] * v[:, t, None, :]
        seen.append(torch.einsum("bd,bde->be", q[:, t], state)[:, :2])
    return torch.stack(seen, dim=1)


def two_rows(q, k, v):
    batch, steps, width = q.shape
    state = torch.zeros(batch, width, v.shape[-1])
    seen = []
    for t in range(steps):
        state = state + k[:, t, :, None] * v[:, t, None, :]
        seen.append(torch.einsum("bd,bde->be", q[:, t, :2], state[:, :2]))
    return torch.stack(seen, dim=1)


def two_channels(x, delta, A, B, C):
    batch, steps, channels = x.shape
    h = torch.zeros(batch, channels, A.shape[1])
    seen = []
    for t in range(steps):
        h = torch.exp(delta[:, t, :, None] * A) * h + B[:, t, None, :] * x[:, t, :, None]
        seen.append((C[:, t, None, :] * h).sum(dim=-1)[:, :2])
    return torch.stack(seen, dim=1)


def cases(rng):
    def of(*shape):
        return torch.tensor(rng.random(shape), dtype=torch.float32, requires_grad=True)

    for steps in (1, 5):
        for name in ("first_two", "behind_two", "differences", "gated", "last"):
            yield name, (of(2, steps, 4), 0.9), {}
        yield "as_many", (of(steps, 4), 0.9, ["a", "b"]), {}
        for name in ("two_columns", "two_rows"):
            yield name, (of(2, steps, 3), of(2, steps, 3), of(2, steps, 4)), {}
        kept = (of(2, steps, 3), of(2, steps, 3), of(3, 4), of(2, steps, 4), of(2, steps, 4))
        yield "two_channels", kept, {}
