# expect: ASC101 safe scope=lambda_return
import torch


def lambda_return(reward, value, pcont, bootstrap, lambda_):
    next_values = torch.cat([value[1:], bootstrap[None]], 0)
    inputs = reward + pcont * next_values * (1 - lambda_)
    last = bootstrap
    outputs = []
    for t in range(reward.shape[0] - 1, -1, -1):
        inp = inputs[t]
        last = inp + pcont[t] * lambda_ * last
        outputs.append(last)
    outputs = list(reversed(outputs))
    return torch.stack(outputs, 0)


def cases(rng):
    yield (
        "lambda_return",
        (
            torch.randn(6, 3, requires_grad=True),
            torch.randn(6, 3, requires_grad=True),
            torch.randn(6, 3, requires_grad=True),
            torch.randn(3, requires_grad=True),
            0.95,
        ),
        {},
    )
