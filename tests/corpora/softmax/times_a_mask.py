# expect: ASC107 advice scope=masked_softmax
import torch


def masked_softmax(scores, mask):
    e = torch.exp(scores - scores.max(-1, keepdim=True).values) * mask
    return e / e.sum(-1, keepdim=True)


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    for args in [(R(3, 5), torch.tensor([[1.0, 1, 0, 1, 1]] * 3)), (R(2, 3, 5), torch.ones(3, 5))]:
        yield "masked_softmax", args, {}
