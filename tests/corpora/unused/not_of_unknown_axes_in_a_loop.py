# expect: RED509 unsafe scope=total
# expect: RED509 unsafe scope=sums
# may: RED501 safe scope=total
import torch


def total(batches, weights, device):
    out = torch.zeros(())
    for x in batches:
        shares = torch.softmax(weights.to(device), dim=0)
        out = out + (x @ shares).sum()
    return out


def sums(batches, weights):
    weights = weights + 1
    out = []
    for x in batches:
        out.append((x @ weights).sum(dim=0))
    return out


def cases(rng):
    batches = [torch.randn(2, 3), torch.randn(1, 3)]
    for weights in (torch.randn(3), torch.randn(3, 4), torch.randn(2, 3, 4)):
        yield "total", (batches, weights, "cpu"), {}
        yield "sums", (batches, weights), {}
