# refuse: SPA406 the rows are no longer one-hot, or the places are changed
import torch
import torch.nn.functional as F


def smoothed(x: torch.Tensor, segment: torch.Tensor, n: int):
    hot = F.one_hot(segment, n).float()
    hot = hot * 0.9 + 0.1 / n
    return hot.t() @ x


def alike(x: torch.Tensor, segment: torch.Tensor, n: int):
    hot = (segment[:, None] == segment[None, :]).float()
    return hot.t() @ x


def overwritten(x: torch.Tensor, segment: torch.Tensor, n: int):
    hot = F.one_hot(segment, n).float()
    hot[:, 0] = 0
    return hot.t() @ x


def changed_before(x: torch.Tensor, segment: torch.Tensor, n: int):
    hot = F.one_hot(segment, n).float()
    segment.clamp_(max=1)
    return hot.t() @ x


def changed_behind(x: torch.Tensor, segment: torch.Tensor, n: int):
    hot = F.one_hot(segment, n).float()
    out = hot.t() @ x
    segment += 1
    return out


def over_classes(x: torch.Tensor, segment: torch.Tensor, n: int):
    (rows,) = segment.shape
    hot = F.one_hot(segment, n)
    return hot.sum(1)


def largest(x: torch.Tensor, segment: torch.Tensor, n: int):
    (rows,) = segment.shape
    hot = F.one_hot(segment, n)
    return hot.amax(0)


def cases(rng):
    names = "smoothed alike overwritten changed_before changed_behind over_classes largest"
    for name in names.split():
        x = torch.randn(7, 3, requires_grad=True)
        yield name, (x, torch.tensor(rng.integers(0, 4, 7)), 4), {}
