# refuse: ASC101 a part of a list of tensors is a list
# refuse: ASC105 a part of a list of tensors is a list
import torch


def smoothed(xs: list[torch.Tensor]):
    h = xs[0]
    out = [h]
    for x in xs[1:]:
        h = 0.9 * h + x
        out.append(h)
    return torch.stack(out)


def largest(xs: list[torch.Tensor]):
    m = xs[0]
    out = [m]
    for x in xs[1:]:
        m = torch.maximum(m, x)
        out.append(m)
    return torch.stack(out)


def cases(rng):
    yield "smoothed", ([torch.randn(3) for _ in range(4)],), {}
    yield "largest", ([torch.randn(3) for _ in range(4)],), {}
