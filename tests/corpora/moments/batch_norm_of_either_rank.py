# expect: ASC108 safe scope=batch_norm
import torch


def batch_norm(X, gamma, beta, moving_mean, moving_var, eps, momentum):
    if not torch.is_grad_enabled():
        X_hat = (X - moving_mean) / torch.sqrt(moving_var + eps)
    else:
        assert len(X.shape) in (2, 4)
        if len(X.shape) == 2:
            mean = X.mean(dim=0)
            var = ((X - mean) ** 2).mean(dim=0)
        else:
            mean = X.mean(dim=(0, 2, 3), keepdim=True)
            var = ((X - mean) ** 2).mean(dim=(0, 2, 3), keepdim=True)
        X_hat = (X - mean) / torch.sqrt(var + eps)
        moving_mean = momentum * moving_mean + (1.0 - momentum) * mean
        moving_var = momentum * moving_var + (1.0 - momentum) * var
    Y = gamma * X_hat + beta
    return Y, moving_mean.data, moving_var.data


def cases(rng):
    yield (
        "batch_norm",
        (
            torch.randn(5, 3, requires_grad=True),
            torch.ones(3),
            torch.zeros(3),
            torch.zeros(3),
            torch.ones(3),
            1e-5,
            0.9,
        ),
        {},
    )
    yield (
        "batch_norm",
        (
            torch.randn(5, 3, 2, 2, requires_grad=True),
            torch.ones(1, 3, 1, 1),
            torch.zeros(1, 3, 1, 1),
            torch.zeros(1, 3, 1, 1),
            torch.ones(1, 3, 1, 1),
            1e-5,
            0.9,
        ),
        {},
    )
