# expect: SPA403 safe scope=SparseBlock.forward
import torch
import torch.nn.functional as F
from torch import nn


class BlockMLP(nn.Module):
    def __init__(self, hidden_dim, ffn_dim):
        super().__init__()
        self.w1 = nn.Linear(hidden_dim, ffn_dim, bias=False)
        self.w2 = nn.Linear(ffn_dim, hidden_dim, bias=False)
        self.w3 = nn.Linear(hidden_dim, ffn_dim, bias=False)
        self.act_fn = nn.SiLU()

    def forward(self, hidden_states):
        current = self.act_fn(self.w1(hidden_states)) * self.w3(hidden_states)
        current = self.w2(current)
        return current


class SparseBlock(nn.Module):
    def __init__(self, hidden_dim=6, ffn_dim=5, num_experts=4, top_k=2):
        super().__init__()
        self.hidden_dim = hidden_dim
        self.num_experts = num_experts
        self.top_k = top_k
        self.gate = nn.Linear(self.hidden_dim, self.num_experts, bias=False)
        self.experts = nn.ModuleList(
            [BlockMLP(hidden_dim, ffn_dim) for _ in range(self.num_experts)]
        )

    def forward(self, hidden_states: torch.Tensor):
        batch_size, sequence_length, hidden_dim = hidden_states.shape
        hidden_states = hidden_states.view(-1, hidden_dim)
        router_logits = self.gate(hidden_states)
        routing_weights = F.softmax(router_logits, dim=1, dtype=torch.float)
        routing_weights, selected_experts = torch.topk(routing_weights, self.top_k, dim=-1)
        routing_weights /= routing_weights.sum(dim=-1, keepdim=True)
        routing_weights = routing_weights.to(hidden_states.dtype)
        final = torch.zeros(
            (batch_size * sequence_length, hidden_dim),
            dtype=hidden_states.dtype,
            device=hidden_states.device,
        )
        with torch.no_grad():
            expert_mask = F.one_hot(selected_experts, num_classes=self.num_experts)
            expert_mask = expert_mask.permute(2, 1, 0)
            expert_hit = torch.greater(expert_mask.sum(dim=(-1, -2)), 0).nonzero()
        for expert_idx in expert_hit:
            expert_idx = expert_idx[0]
            slot, token = torch.where(expert_mask[expert_idx])
            given = hidden_states[token]
            made = self.experts[expert_idx](given) * routing_weights[token, slot, None]
            final.index_add_(0, token, made.to(final.dtype))
        final = final.reshape(batch_size, sequence_length, hidden_dim)
        return final, router_logits


def tokens(rng, shape):
    return (torch.tensor(rng.standard_normal(shape)).float().requires_grad_(),)


def cases(rng):
    yield "SparseBlock()", tokens(rng, (2, 3, 6)), {}
    yield "SparseBlock()", tokens(rng, (1, 1, 6)), {}
    yield "SparseBlock(num_experts=9)", tokens(rng, (1, 2, 6)), {}
