# refuse: the softmax runs over the queries, not over the keys that are summed
import torch
import torch.nn.functional as F


def competing_slots(slots, tokens):
    logits = torch.einsum("bsd,btd->bst", slots, tokens)
    assignment = F.softmax(logits, dim=1)
    return torch.einsum("bst,btd->bsd", assignment, tokens)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32)
    yield "competing_slots", (draw(2, 3, 4), draw(2, 9, 4)), {}
