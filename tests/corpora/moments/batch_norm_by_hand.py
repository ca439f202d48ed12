# expect: ASC108 safe scope=normalised
import torch


def normalised(batch: torch.Tensor, gain: torch.Tensor, shift: torch.Tensor) -> torch.Tensor:
    centre = batch.mean(0)
    spread = ((batch - centre) ** 2).mean(0)
    return gain * (batch - centre) / torch.sqrt(spread + 1e-5) + shift


def cases(rng):
    for shape in ((2, 1), (5, 3), (7, 7), (4, 2, 3)):
        arrays = [torch.from_numpy(rng.normal(size=s)) for s in (shape, shape[1:], shape[1:])]
        yield "normalised", tuple(a.requires_grad_() for a in arrays), {}
