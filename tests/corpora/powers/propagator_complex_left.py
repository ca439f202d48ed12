# expect: ASC114 safe scope=Evolution.propagate
import torch


class Evolution(torch.nn.Module):
    def __init__(self, size):
        super().__init__()
        self.unitary = torch.nn.Parameter(torch.randn(size, size, dtype=torch.complex64) / size)

    def propagate(self, states, steps: int):
        """states: (size, size)"""
        size, _ = self.unitary.shape
        result = torch.eye(size, dtype=torch.complex64)
        for _ in range(steps):
            result = self.unitary @ result
        return result @ states


def cases(rng):
    for steps in (1, 2, 11):
        yield "Evolution(4).propagate", (torch.randn(4, 4, dtype=torch.complex64), steps), {}
