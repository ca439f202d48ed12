# expect: RED505 unsafe scope=filtered
# expect: RED505 unsafe scope=neighbour
# expect: RED505 unsafe scope=spread
import torch


def filtered(logits, k):
    threshold = torch.sort(logits, dim=-1)[0][..., -k, None]
    return logits.masked_fill(logits < threshold, float("-inf"))


def neighbour(distances, k):
    ordered, _ = distances.sort(dim=1)
    return ordered[:, k]


def spread(latencies):
    ordered = sorted(latencies)
    fastest = ordered[0]
    slowest = ordered[-1]
    return slowest - fastest


def cases(rng):
    yield "filtered", (torch.randn(3, 7), 2), {}
    yield "filtered", (torch.randn(1, 1), 1), {}
    yield "neighbour", (torch.randn(3, 7), 2), {}
    yield "spread", ([3.5, 1.0, 2.0],), {}
