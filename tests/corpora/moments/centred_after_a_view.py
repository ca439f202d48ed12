# expect: ASC108 safe scope=by_rows
# expect: ASC108 safe scope=flattened
import torch


def by_rows(x: torch.Tensor):
    shape = x.shape
    x = x.reshape(-1, shape[-1])
    x = x - x.mean(1, keepdim=True)
    x = x / torch.sqrt(x.pow(2).mean(1, keepdim=True) + 1e-5)
    return x.reshape(shape)


def flattened(x: torch.Tensor):
    x = x.flatten(1)
    x = x - x.mean(dim=-1, keepdim=True)
    x = x * torch.rsqrt((x * x).mean(dim=-1, keepdim=True) + 1e-6)
    return x


def cases(rng):
    for shape in ((2, 3), (1, 4, 5), (2, 3, 2, 5)):
        for name in ("by_rows", "flattened"):
            yield name, (torch.from_numpy(rng.normal(size=shape)).requires_grad_(),), {}
