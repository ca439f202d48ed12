# expect: ASC101 safe scope=smooth
import torch


def smooth(x: torch.Tensor, keep: torch.Tensor):
    batch, steps, width = x.shape
    h = torch.zeros(batch, width)
    seen = []
    for t in range(steps):
        h = keep.float() * h + x[:, t].float()
        seen.append(h.to(x.dtype))
    return torch.stack(seen, dim=1)


def cases(rng):
    half = {"dtype": torch.float16, "requires_grad": True}
    for shape in ((), (3,), (2, 3)):
        x = torch.tensor(rng.random((2, 5, 3)), **half)
        yield "smooth", (x, torch.tensor(rng.random(shape), **half)), {}
