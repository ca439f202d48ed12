# expect: ASC101 advice scope=returns_of
# refuse: the returns stay a list
import torch


def returns_of(rewards, is_terminals, gamma):
    out = []
    discounted_reward = 0
    for reward, is_terminal in zip(reversed(rewards), reversed(is_terminals)):
        if is_terminal:
            discounted_reward = 0
        discounted_reward = reward + (gamma * discounted_reward)
        out.insert(0, discounted_reward)
    return torch.tensor(out, dtype=torch.float32)


def cases(rng):
    yield "returns_of", ([1.0, 2.0, 0.5], [False, True, False], 0.9), {}
