# expect: ASC108 safe scope=whole_images
# expect: ASC108 safe scope=of_all
# expect: ASC108 safe scope=of_all_in_one
# expect: ASC108 safe scope=columns
# expect: ASC108 safe scope=columns_of_roots
# expect: ASC108 safe scope=by_einsum
"""The axes have a name, are all there are, or are put back behind the root."""

import torch


def whole_images(x, eps: float = 1e-5):
    dims = (1, 2, 3)
    mean = x.mean(dim=dims, keepdim=True)
    var = ((x - mean) ** 2).mean(dim=dims, keepdim=True)
    return (x - mean) / torch.sqrt(var + eps)


def of_all(x: torch.Tensor):
    mean = x.mean()
    var = ((x - mean) ** 2).mean()
    return (x - mean) / torch.sqrt(var + 1e-8)


def of_all_in_one(x: torch.Tensor):
    mean = x.mean()
    return (x - mean) / torch.sqrt(((x - mean) ** 2).mean() + 1e-8)


def columns(x: torch.Tensor):
    mean = x.mean(-1)
    var = x.var(-1, unbiased=False)
    return (x - mean.unsqueeze(-1)) / torch.sqrt(var + 1e-5).unsqueeze(-1)


def columns_of_roots(x: torch.Tensor, scale: torch.Tensor):
    centred = x - x.mean(-1)[..., None]
    spread = (centred * centred).mean(-1)
    return centred * torch.rsqrt(spread + 1e-5)[..., None] * scale


def by_einsum(x: torch.Tensor):
    width = x.shape[-1]
    centred = x - x.mean(-1, keepdim=True)
    var = torch.einsum("btd,btd->bt", centred, centred) / width
    return centred / torch.sqrt(var + 1e-5).unsqueeze(-1)


def cases(rng):
    def T(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32, requires_grad=True)

    for n in (2, 5):
        yield "whole_images", (T(2, n, 3, 4),), {}
        yield "of_all", (T(n, 3),), {}
        yield "of_all", (T(n),), {}
        yield "of_all_in_one", (T(n, 3),), {}
        for name in ("columns", "by_einsum"):
            yield name, (T(2, n, 7),), {}
        yield "columns", (T(7),), {}
        yield "columns_of_roots", (T(n, 7), T(7)), {}
