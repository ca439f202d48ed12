# refuse: names of the loop are read by augmented assignments behind it, and `out` fills within
import torch


def longer(x: torch.Tensor):
    outs = []
    s = torch.zeros(())
    for v in x:
        s = s + v
        outs.append(s)
    sums = torch.stack(outs)
    outs += [s]
    return sums, len(outs)


def counted(x: torch.Tensor, decay: float):
    h = torch.zeros_like(x[0])
    outs = []
    for t in range(len(x)):
        h = decay * h + x[t]
        outs.append(h)
    t += 1
    return torch.stack(outs)


def repeated(x: torch.Tensor):
    s = torch.zeros_like(x[0])
    out = []
    for v in x:
        s = s + v
        out.append(s)
    sums = torch.stack(out)
    out *= 2
    return sums


def filled_within(x: torch.Tensor):
    s = torch.zeros_like(x[0])
    out = []
    for v in x:
        s = s + v
        for _ in range(2):
            out.append(s)
    return out


def products_within(x: torch.Tensor):
    s = torch.zeros_like(x[0])
    out = []
    for v in x:
        s = s + v
        for y in x:
            out.append(y * s)
    return out, s


def changed_for_each(a: torch.Tensor, x: torch.Tensor):
    rows, steps = x.shape
    out = torch.zeros(rows, steps)
    for b in range(rows):
        h = 0.0
        for t in range(steps):
            h = a[b] * h + x[b, t]
            out[b, t] = h
        c = a
        c += 1
    return out


def cases(rng):
    x = torch.tensor(rng.normal(size=(4, 3)), dtype=torch.float32)
    for name in ("longer", "repeated", "filled_within", "products_within"):
        yield name, (x,), {}
    yield "counted", (x, 0.5), {}
    yield "changed_for_each", (torch.rand(4), x), {}
