# expect: ASC109 safe scope=layer.attend
import torch


def layer(x, wq, wk, wv, wo, heads):
    b, t, c = x.shape

    def split(y):
        return y.reshape(b, t, heads, c // heads).transpose(1, 2)

    def attend(q, k, v):
        w = torch.matmul(q, k.transpose(2, 3)) * (c // heads) ** -0.5
        return torch.matmul(torch.softmax(w, -1), v)

    y = attend(split(x @ wq), split(x @ wk), split(x @ wv))
    return x + y.transpose(1, 2).reshape(b, t, c) @ wo


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    for length in (1, 5):
        yield "layer", (draw(2, length, 6), *(draw(6, 6) for _ in range(4)), 2), {}
