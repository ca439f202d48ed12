# expect: ASC107 safe scope=cross_entropy
# expect: ASC107 safe scope=policy_loss
# expect: ASC107 safe scope=by_hand
import torch
import torch.nn.functional as F


def cross_entropy(logits, target):
    p = torch.softmax(logits, dim=-1)
    return -torch.log(p[torch.arange(len(target)), target]).mean()


def policy_loss(logits, actions, returns):
    probs = F.softmax(logits, dim=1)
    chosen = probs.gather(1, actions.unsqueeze(1)).squeeze(1).log()
    return -(chosen * returns).sum()


def by_hand(logits, target):
    e = torch.exp(logits - logits.max(dim=1, keepdim=True).values)
    probs = e / e.sum(dim=1, keepdim=True)
    n = logits.shape[0]
    return -probs[range(n), target].log().mean()


def cases(rng):
    for rows, classes in ((5, 4), (1, 2)):
        logits = torch.tensor(rng.standard_normal((rows, classes)), requires_grad=True)
        target = torch.tensor(rng.integers(classes, size=rows))
        yield "cross_entropy", (logits, target), {}
        yield "policy_loss", (logits, target, torch.tensor(rng.random(rows))), {}
        yield "by_hand", (logits, target), {}
