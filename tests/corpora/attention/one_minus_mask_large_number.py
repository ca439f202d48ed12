# expect: ASC109 safe scope=padded_attention
# A row without any valid key gives the mean of the values, not zero.
import torch


def padded_attention(q, k, v, mask):
    attn = torch.einsum("bqd,bkd->bqk", q, k) / q.shape[-1] ** 0.5
    attn = attn + (1 - mask[:, None, :]) * -1e9
    attn = torch.softmax(attn, dim=2)
    return torch.einsum("bqk,bkd->bqd", attn, v)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for row in ([1.0] * 4 + [0.0] * 3, [0.0] * 7):
        mask = torch.tensor([[1.0] * 7, row])
        yield "padded_attention", (draw(2, 5, 4), draw(2, 7, 4), draw(2, 7, 4), mask), {}
