# expect: ASC109 safe scope=T5Attn.forward
import torch
from torch import nn


class T5Attn(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.n_heads, self.key_value_proj_dim = h, d // h
        self.q, self.k, self.v, self.o = (nn.Linear(d, d, bias=False) for _ in range(4))

    def forward(self, hidden_states, position_bias):
        bs, seq = hidden_states.shape[:2]

        def shape(states):
            return states.view(bs, -1, self.n_heads, self.key_value_proj_dim).transpose(1, 2)

        def unshape(states):
            return (
                states.transpose(1, 2)
                .contiguous()
                .view(bs, -1, self.n_heads * self.key_value_proj_dim)
            )

        q = shape(self.q(hidden_states))
        k = shape(self.k(hidden_states))
        v = shape(self.v(hidden_states))
        scores = torch.matmul(q, k.transpose(3, 2))
        scores += position_bias
        w = nn.functional.softmax(scores.float(), dim=-1).type_as(scores)
        return self.o(unshape(torch.matmul(w, v)))


def cases(rng):
    yield (
        "T5Attn(8, 2)",
        (
            torch.randn(2, 5, 8, requires_grad=True),
            torch.randn(1, 2, 5, 5),
        ),
        {},
    )
