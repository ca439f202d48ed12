# refuse: the first head is returned
import torch


def f(q, k, v):
    ws = []
    for h in range(q.shape[1]):
        ws.append(torch.softmax(q[:, h] @ k[:, h].transpose(1, 2), -1))
    w = torch.stack(ws, 1)
    return w @ v, len(ws), ws[0]


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    yield (
        "f",
        (
            draw(2, 3, 5, 4),
            draw(2, 3, 7, 4),
            draw(2, 3, 7, 4),
        ),
        {},
    )
