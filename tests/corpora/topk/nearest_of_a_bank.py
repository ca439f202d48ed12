# expect: ASC110 safe scope=Retriever.query
import torch


class Retriever:
    def __init__(self, bank):
        self.bank = bank

    def query(self, q, k=3):
        dist = ((self.bank - q) ** 2).sum(-1)
        _, order = dist.sort()
        return self.bank[order[:k]]


def cases(rng):
    yield "Retriever(torch.randn(9, 4)).query", (torch.randn(4),), {}
