# expect: ASC107 safe scope=nll
import torch


def nll(logits, targets):
    shifted = logits - logits.amax(1, keepdim=True)
    log_probs = shifted - shifted.exp().sum(1, keepdim=True).log()
    return -log_probs[torch.arange(len(targets)), targets].mean()


def cases(rng):
    for n in (1, 6):
        logits = torch.tensor(rng.standard_normal((n, 11)), dtype=torch.float32)
        yield "nll", (logits.requires_grad_(), torch.tensor(rng.integers(0, 11, n))), {}
