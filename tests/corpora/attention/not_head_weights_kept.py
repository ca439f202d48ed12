# refuse: the weights of each head are kept by the caller
import torch


def f(q, k, v, log):
    ws = [torch.softmax(q[:, h] @ k[:, h].transpose(1, 2), -1) for h in range(q.shape[1])]
    log.extend(ws)
    return torch.stack([w @ v[:, h] for h, w in enumerate(ws)], 1)


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    yield (
        "f",
        (
            draw(2, 3, 5, 4),
            draw(2, 3, 7, 4),
            draw(2, 3, 7, 4),
            [],
        ),
        {},
    )
