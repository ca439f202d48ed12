# expect: ASC106 advice scope=dot
# expect: ASC106 advice scope=accuracy
# expect: ASC106 safe scope=weighted
# expect: ASC105 advice scope=drawdown
# expect: ASC105 advice scope=totals
import torch


def dot(a, b):
    s = 0
    for i in range(len(a)):
        s += a[i] * b[i]
    return s


def accuracy(truth, predicted):
    correct = 0
    for i in range(len(truth)):
        if truth[i] == predicted[i]:
            correct += 1
    return correct / len(truth)


def weighted(losses: torch.Tensor, weights: torch.Tensor):
    loss = 0
    for one, weight in zip(losses, weights):
        loss = loss + weight * one
    return loss


def drawdown(prices):
    peak = prices[0]
    falls = []
    for p in prices:
        if p > peak:
            peak = p
        falls.append((peak - p) / peak)
    return falls


def totals(rewards):
    total = 0
    out = []
    for r in rewards:
        total += r
        out.append(total)
    return out


def cases(rng):
    yield "dot", ([1.0, 2.0], [3.0, 4.0]), {}
    yield "accuracy", ([1, 0, 1], [1, 1, 1]), {}
    yield "weighted", (torch.ones(3), torch.ones(2)), {}
    yield "drawdown", ([1.0, 2.0, 0.5],), {}
    yield "totals", ([1.0, 2.0, 0.5],), {}
