# expect: ASC101 safe scope=squared
# expect: ASC101 safe scope=scaled
# expect: ASC101 safe scope=boosted
# expect: ASC101 safe scope=gained
# expect: ASC101 safe scope=doubled
# expect: ASC105 safe scope=totals
# expect: ASC104 safe scope=envelope
import torch


def squared(x: torch.Tensor, power: bool):
    h, out = torch.zeros(x.shape[1]), []
    for row in x:
        h = 0.7 * h + (row * row if power else row)
        out.append(h)
    return torch.stack(out)


def scaled(x: torch.Tensor, gain: float | None = None):
    batch, steps, width = x.shape
    h, out = torch.zeros(batch, width), []
    for t in range(steps):
        u = x[:, t]
        if gain is not None:
            u = u * gain
        h = 0.7 * h + u
        out.append(h)
    return torch.stack(out, 1)


def boosted(x: torch.Tensor, gain: float):
    batch, steps, width = x.shape
    h, out = torch.zeros(batch, width), []
    for t in range(steps):
        u = x[:, t]
        if gain > 1:
            u = u * gain
        h = 0.7 * h + u
        out.append(h)
    return torch.stack(out, 1)


def gained(x: torch.Tensor, gains=None):
    batch, steps, width = x.shape
    h, out = torch.zeros(batch, width), []
    for t in range(steps):
        h = 0.7 * h + (x[:, t] if gains is None else x[:, t] * gains[:, t])
        out.append(h)
    return torch.stack(out, 1)


def totals(x: torch.Tensor, centred: bool):
    total, out = torch.zeros(x.shape[1]), []
    for t in range(x.shape[0]):
        total = total + (x[t] - 1 if centred else x[t])
        out.append(total)
    return torch.stack(out)


def envelope(x: torch.Tensor, below: bool):
    h, out = torch.full((x.shape[1],), -1.0), []
    for t in range(x.shape[0]):
        h = torch.maximum(0.9 * h, -x[t] if below else x[t])
        out.append(h)
    return torch.stack(out)


def doubled(x: torch.Tensor, mode: str, other=None):
    given, other = other, 3
    h, out = torch.zeros(x.shape[1]), []
    for row in x:
        u = row * 2 if mode == "twice" else row
        h = 0.5 * h + (u if given is None else u * other)
        out.append(h)
    return torch.stack(out)


def draw(rng, *shape):
    return torch.tensor(rng.standard_normal(shape), dtype=torch.float32, requires_grad=True)


def cases(rng):
    for n in (1, 2, 9):
        for flag in (False, True):
            for name in ("squared", "totals", "envelope"):
                yield name, (draw(rng, n, 3), flag), {}
        for gain in (None, 0.0, 1.5):
            yield "scaled", (draw(rng, 2, n, 3), gain), {}
        for mode in ("twice", "once"):
            yield "doubled", (draw(rng, n, 3), mode, None), {}
            yield "doubled", (draw(rng, n, 3), mode, 1), {}
        for gain in (0.5, 1.5):
            yield "boosted", (draw(rng, 2, n, 3), gain), {}
        yield "gained", (draw(rng, 2, n, 3),), {}
        yield "gained", (draw(rng, 2, n, 3), draw(rng, 2, n, 3)), {}
