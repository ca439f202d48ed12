# expect: ASC106 safe scope=sequence_probability
import torch


def sequence_probability(step_probs):
    """Joint probability of (batch, steps) independent steps."""
    p = torch.ones(step_probs.shape[0], dtype=step_probs.dtype)
    for t in range(step_probs.shape[1]):
        p = p * step_probs[:, t]
    return p


def cases(rng):
    for steps in (1, 2, 20):
        probs = torch.tensor(rng.uniform(0.5, 1, (3, steps)), dtype=torch.float32)
        yield "sequence_probability", (probs.requires_grad_(),), {}
