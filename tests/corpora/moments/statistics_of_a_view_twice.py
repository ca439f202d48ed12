# expect: ASC108 safe scope=calc_mean_std
# expect: ASC108 safe scope=statistics
import torch


def calc_mean_std(feat, eps=1e-5):
    size = feat.size()
    assert len(size) == 4
    N, C = size[:2]
    feat_var = feat.view(N, C, -1).var(dim=2) + eps
    feat_std = feat_var.sqrt().view(N, C, 1, 1)
    feat_mean = feat.view(N, C, -1).mean(dim=2).view(N, C, 1, 1)
    return feat_mean, feat_std


def statistics(x):
    shape = x.shape
    if len(shape) != 4:
        raise ValueError("four axes")
    n, c = shape[:2]
    return x.view(n, c, -1).mean(2), x.view(n, c, -1).var(2)


def cases(rng):
    for shape in ((2, 3, 5, 4), (1, 2, 1, 3), (3, 1, 2, 2)):
        x = torch.tensor(rng.normal(size=shape) + 3, requires_grad=True)
        yield "calc_mean_std", (x,), {}
        yield "statistics", (x,), {}
