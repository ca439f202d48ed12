# may: ASC101 safe|advice scope=fading_memory
import torch


def fading_memory(x: torch.Tensor, fade: float) -> torch.Tensor:
    out = torch.zeros_like(x)
    positions = torch.arange(x.shape[1])
    h = torch.zeros_like(x[:, :1])
    for p in positions.split(1):
        h = fade * h + x.index_select(1, p)
        out.index_copy_(1, p, h)
    return out


def cases(rng):
    for T in (1, 2, 19):
        x = torch.tensor(rng.standard_normal((2, T, 3)), dtype=torch.float32)
        yield "fading_memory", (x.requires_grad_(), 0.9), {}
