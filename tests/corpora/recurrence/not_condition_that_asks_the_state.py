# refuse: what the condition calls or holds may be another thing at every step
import torch


def seen(x: torch.Tensor, places: list, a: float):
    h, out = torch.zeros(x.shape[1]), []
    for t in range(x.shape[0]):
        h = 0.5 * h + (a * x[t] if t in places else x[t])
        out.append(h)
    return torch.stack(out)


def kind(x: torch.Tensor, y, a: float):
    h, out = torch.zeros(x.shape[1]), []
    for t in range(x.shape[0]):
        h = 0.5 * h + (a * x[t] if isinstance(y, float) else x[t])
        y = t
        out.append(h)
    return torch.stack(out)


def word(x: torch.Tensor, mode: str, a: float):
    h, out = torch.zeros(x.shape[1]), []
    for t in range(x.shape[0]):
        h = 0.5 * h + (a * x[t] if mode == "first" else x[t])
        mode = "later"
        out.append(h)
    return torch.stack(out)


def cases(rng):
    x = torch.tensor(rng.standard_normal((5, 3)), dtype=torch.float32)
    yield "seen", (x, [1, 3], 0.3), {}
    yield "kind", (x, 1.0, 0.3), {}
    yield "word", (x, "first", 0.3), {}
