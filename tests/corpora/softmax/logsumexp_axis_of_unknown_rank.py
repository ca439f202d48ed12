# expect: ASC107 safe scope=mix
import torch


def mix(outputs, logits, split):
    logits = split(logits).unsqueeze(-1)
    shares = torch.exp(logits - torch.logsumexp(logits, dim=2, keepdim=True))
    return torch.sum(outputs * shares, dim=2)


def rounds(x):
    return x.unflatten(2, (4, -1))


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    for length in (1, 5):
        operands = draw(2, 3, 4, length, 6), draw(2, 3, 4 * length)
        yield "lambda outputs, logits: mix(outputs, logits, rounds)", operands, {}
