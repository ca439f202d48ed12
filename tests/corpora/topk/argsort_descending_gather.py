# expect: ASC110 safe|unsafe scope=retrieve
import torch


def retrieve(query, bank):
    """The five best matches of each query: their rows and their scores."""
    scores = query @ bank.T
    order = torch.argsort(scores, dim=-1, descending=True)
    best = order[:, :5]
    return best, scores.gather(1, best)


def cases(rng):
    query = torch.tensor(rng.standard_normal((3, 8)), dtype=torch.float32, requires_grad=True)
    bank = torch.tensor(rng.standard_normal((60, 8)), dtype=torch.float32)
    yield "retrieve", (query, bank), {}
