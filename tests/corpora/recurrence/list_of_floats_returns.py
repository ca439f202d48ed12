# may: ASC101 unsafe|advice scope=returns_of
# expect: ASC108 safe scope=returns_of
# Python floats are doubles; a float32 tensor operation would round every step.
import torch


def returns_of(rewards: list, gamma: float = 0.99):
    R = 0.0
    returns = []
    for r in rewards[::-1]:
        R = r + gamma * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    return (returns - returns.mean()) / (returns.std() + 1e-9)


def cases(rng):
    yield "returns_of", ([1.0, 0.5],), {}
    yield "returns_of", (rng.standard_normal(30).tolist(),), {}
