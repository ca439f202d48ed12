# expect: ASC107 safe scope=kl
import torch


def kl(p_logits, q_logits):
    p = p_logits.exp() / p_logits.exp().sum(-1, keepdim=True)
    logp = p_logits - p_logits.exp().sum(-1, keepdim=True).log()
    logq = q_logits - q_logits.exp().sum(-1, keepdim=True).log()
    return (p * (logp - logq)).sum(-1).mean()


def cases(rng):
    yield (
        "kl",
        (
            torch.randn(3, 4, requires_grad=True),
            torch.randn(3, 4, requires_grad=True),
        ),
        {},
    )
