# expect: ASC101 safe scope=mix
import torch


def mix(x, w):
    batch, steps, width = x.shape
    width, out_width = w.shape
    h = torch.zeros(batch, out_width)
    out = []
    for t in range(steps):
        h = 0.5 * h + x[:, t] @ w
        out.append(h)
    return torch.stack(out, 1)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.random(s), dtype=torch.float32)
    yield "mix", (draw(4, 5, 3).requires_grad_(), draw(3, 2).requires_grad_()), {}
    yield "mix", (draw(1, 1, 3), draw(3, 2)), {}
