# expect: ASC102 safe scope=right_to_left
import torch
from einops import einsum, rearrange


def right_to_left(x, delta, A, B, C):
    """The second direction of a bidirectional block: reads the sequence from its end."""
    length = x.shape[1]
    h = torch.zeros(x.shape[0], x.shape[2], A.shape[1], dtype=x.dtype)
    out = []
    for t in reversed(range(length)):
        decay = torch.exp(einsum(delta[:, t], A, "b d, d n -> b d n"))
        drive = rearrange(delta[:, t] * x[:, t], "b d -> b d 1") * rearrange(
            B[:, t], "b n -> b 1 n"
        )
        h = decay * h + drive
        out.insert(0, einsum(h, C[:, t], "b d n, b n -> b d"))
    return torch.stack(out, dim=1)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32)
    for b, l in ((1, 1), (2, 14)):
        delta = torch.tensor(rng.random((b, l, 3))).float()
        A = -torch.tensor(rng.random((3, 4))).float()
        yield (
            "right_to_left",
            (draw(b, l, 3), delta.requires_grad_(), A, draw(b, l, 4), draw(b, l, 4)),
            {},
        )
