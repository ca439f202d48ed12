# expect: ASC109 safe scope=cosine
import torch
import torch.nn.functional as F


def cosine(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, logit_scale: torch.Tensor):
    scores = F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).transpose(-2, -1)
    scores = scores * torch.clamp(logit_scale, max=4.6).exp()
    return scores.softmax(-1) @ v


def cases(rng):
    def made(*shape):
        return torch.tensor(rng.standard_normal(shape), requires_grad=True)

    q, k, v = made(2, 3, 5, 4), made(2, 3, 6, 4), made(2, 3, 6, 2)
    yield "cosine", (q, k, v, made()), {}
    yield "cosine", (q, k, v, made(3, 1, 1)), {}
