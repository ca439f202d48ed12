# expect: ASC109 safe scope=chunked_attention
import torch


def chunked_attention(q, k, v, chunk: int = 4):
    """Never holds more than `chunk` rows of the score matrix."""
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        rows = q[..., start : start + chunk, :]
        weights = (rows @ k.transpose(-2, -1) * q.shape[-1] ** -0.5).softmax(dim=-1)
        outputs.append(weights @ v)
    return torch.cat(outputs, dim=-2)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    yield "chunked_attention", (draw(2, 2, 10, 4), draw(2, 2, 7, 4), draw(2, 2, 7, 4)), {}
