# expect: ASC109 safe scope=attend
import math

import torch
from torch import nn


def repeat_kv(hidden_states: torch.Tensor, n_rep: int) -> torch.Tensor:
    batch, num_key_value_heads, slen, head_dim = hidden_states.shape
    if n_rep == 1:
        return hidden_states
    hidden_states = hidden_states[:, :, None, :, :].expand(
        batch, num_key_value_heads, n_rep, slen, head_dim
    )
    return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)


def attend(query, key, value, mask, n_rep: int):
    key_states = repeat_kv(key, n_rep)
    value_states = repeat_kv(value, n_rep)
    attn_weights = torch.matmul(query, key_states.transpose(2, 3)) / math.sqrt(query.shape[-1])
    if mask is not None:
        causal_mask = mask[:, :, :, : key_states.shape[-2]]
        attn_weights = attn_weights + causal_mask
    attn_weights = nn.functional.softmax(attn_weights, dim=-1, dtype=torch.float32).to(query.dtype)
    attn_output = torch.matmul(attn_weights, value_states)
    return attn_output.transpose(1, 2).contiguous()


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    yield (
        "attend",
        (
            draw(2, 6, 5, 4),
            draw(2, 3, 7, 4),
            draw(2, 3, 7, 4),
            draw(2, 1, 5, 7),
            2,
        ),
        {},
    )
    yield (
        "attend",
        (
            draw(2, 6, 5, 4),
            draw(2, 3, 7, 4),
            draw(2, 3, 7, 4),
            None,
            2,
        ),
        {},
    )
