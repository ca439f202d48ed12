# expect: ASC107 safe scope=raises_another
# expect: ASC107 safe scope=tidies_up
# expect: ASC107 safe scope=by_name
import torch


def raises_another(x):
    try:
        weights = torch.exp(x - x.max(dim=-1, keepdim=True).values)
        weights = weights / weights.sum(dim=-1, keepdim=True)
    except IndexError as problem:
        raise ValueError("scores need an axis") from problem
    return weights


def tidies_up(x, log):
    try:
        log.append("begun")
        weights = torch.exp(x - x.amax(dim=-1, keepdim=True))
        return weights / weights.sum(dim=-1, keepdim=True)
    finally:
        log.append("done")


def by_name(x, kind="softmax"):
    match kind:
        case "softmax" | "soft":
            weights = torch.exp(x - x.max(dim=-1, keepdim=True).values)
            return weights / weights.sum(dim=-1, keepdim=True)
        case "sigmoid":
            return torch.sigmoid(x)
        case _:
            raise ValueError(kind)


def cases(rng):
    for sizes in ((3, 5), (1, 1), (2, 1, 4)):
        yield "raises_another", (torch.randn(sizes, requires_grad=True),), {}
        yield "tidies_up", (torch.randn(sizes, requires_grad=True), []), {}
        yield "by_name", (torch.randn(sizes, requires_grad=True),), {}
    yield "by_name", (torch.randn(2, 3), "sigmoid"), {}
