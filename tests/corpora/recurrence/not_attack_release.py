# refuse: the coefficient is chosen by the state
import torch


def envelope(x: torch.Tensor, att: float, rel: float):
    env = torch.zeros(x.shape[0])
    out = torch.zeros_like(x)
    for t in range(x.shape[1]):
        level = x[:, t].abs()
        coeff = torch.where(level > env, torch.tensor(att), torch.tensor(rel))
        env = coeff * env + (1 - coeff) * level
        out[:, t] = env
    return out


def draw(rng, *shape, grad=True, dtype=torch.float32):
    x = torch.tensor(rng.standard_normal(shape), dtype=dtype)
    return x.requires_grad_() if grad else x


def cases(rng):
    yield "envelope", (draw(rng, 2, 6, grad=False), 0.2, 0.9), {}
