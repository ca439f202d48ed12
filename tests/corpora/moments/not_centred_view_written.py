# refuse: ASC108 what the view shows is written before it would be read again
import torch


def by_rows(x: torch.Tensor):
    shape, whole = x.shape, x
    x = x.reshape(-1, shape[-1])
    x = x - x.mean(1, keepdim=True)
    whole.zero_()
    x = x / torch.sqrt(x.pow(2).mean(1, keepdim=True) + 1e-5)
    return x.reshape(shape)


def cases(rng):
    for shape in ((2, 3), (1, 4, 5)):
        yield "by_rows", (torch.from_numpy(rng.normal(size=shape)),), {}
