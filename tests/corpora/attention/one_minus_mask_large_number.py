# expect: ASC109 safe scope=padded_attention
# A row without any valid key still gets a mean of the values, not zero.
import torch


def padded_attention(q, k, v, mask):
    attn = torch.einsum("bqd,bkd->bqk", q, k) / q.shape[-1] ** 0.5
    attn = attn + (1 - mask[:, None, :]) * -1e9
    attn = torch.softmax(attn, dim=2)
    return torch.einsum("bqk,bkd->bqd", attn, v)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s))
    some = torch.tensor([[1.0] * 7, [1.0] * 4 + [0.0] * 3])
    q, k, v = draw(2, 5, 4), draw(2, 7, 4), draw(2, 7, 4)
    args = tuple(t.float().requires_grad_() for t in (q, k, v))
    yield "padded_attention", (*args, some), {}
    # in single precision the scores of a masked row drown in 1e9; here they do not
    none = torch.tensor([[1.0] * 7, [0.0] * 7], dtype=torch.float64)
    yield "padded_attention", (q, k, v, none), {}
