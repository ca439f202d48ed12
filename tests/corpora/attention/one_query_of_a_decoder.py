# expect: ASC109 safe scope=decode
import torch


def decode(state, memory, w, u, steps):
    """state: (B, D), memory: (B, T, D)"""
    states = []
    for _ in range(steps):
        alpha = torch.softmax(torch.bmm(memory, state.unsqueeze(2)).squeeze(2), dim=1)
        context = torch.bmm(alpha.unsqueeze(1), memory).squeeze(1)
        state = torch.tanh(state @ w + context @ u)
        states.append(state)
    return torch.stack(states, 1)


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    for length in (1, 5):
        yield "decode", (draw(2, 4), draw(2, length, 4), draw(4, 4), draw(4, 4), 3), {}
