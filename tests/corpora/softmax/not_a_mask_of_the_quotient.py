# refuse: ASC107 the sum is over what the mask leaves out, too
import torch


def f(scores, mask):
    e = torch.exp(scores)
    return e * mask / e.sum(-1, keepdim=True)


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    for args in [(R(3, 5), torch.tensor([[1.0, 1, 0, 1, 1]] * 3)), (R(1, 2), torch.ones(1, 2))]:
        yield "f", args, {}
