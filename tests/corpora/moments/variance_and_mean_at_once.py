# expect: ASC108 safe scope=normalise
# expect: ASC108 safe scope=whitened

import torch
from torch import Tensor


def normalise(x: Tensor, scale: Tensor, shift: Tensor):
    var, mean = torch.var_mean(x, dim=-1, keepdim=True, unbiased=False)
    return (x - mean) / (var + 1e-6).sqrt() * scale + shift


def whitened(x: Tensor, scale: Tensor):
    var, mean = torch.var_mean(x, -1, correction=0, keepdim=True)
    return scale * (x - mean) / torch.sqrt(var + 1e-5)


def cases(rng):
    def made(*shape):
        return torch.from_numpy(rng.standard_normal(shape)).requires_grad_()

    for shape in ((3, 5), (2, 1, 7), (1, 2)):
        yield "normalise", (made(*shape), made(shape[-1]), made(shape[-1])), {}
        yield "whitened", (made(*shape), made(shape[-1])), {}
