# refuse: ASC108 the operation keeps what is changed before the backward pass
import torch


def statistics(x: torch.Tensor):
    mean = x.mean(-1, keepdim=True)
    variance = ((x - mean) ** 2).mean(-1, keepdim=True)
    flat = x.view(-1)
    flat += 1
    return mean, variance


def cases(rng):
    for shape in ((3, 5), (1, 2)):
        x = torch.tensor(rng.normal(size=shape), requires_grad=True)
        yield "lambda x: statistics(x * 2)", (x,), {}
