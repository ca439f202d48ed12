# expect: ASC109 safe scope=alibi_attention
import torch


def alibi_attention(q, k, v, slopes):
    """q, k, v: (batch, heads, n, d); farther keys are penalised linearly, later ones hidden."""
    n, d = q.shape[-2:]
    position = torch.arange(n, device=q.device)
    distance = position[None, :] - position[:, None]
    bias = slopes.view(1, -1, 1, 1) * distance
    scores = q @ k.transpose(-1, -2) / d**0.5 + bias
    scores = scores.masked_fill(distance > 0, float("-inf"))
    return scores.softmax(-1) @ v


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    slopes = torch.tensor([0.5, 0.25])
    for n in (1, 10):
        yield "alibi_attention", (draw(2, 2, n, 4), draw(2, 2, n, 4), draw(2, 2, n, 4), slopes), {}
