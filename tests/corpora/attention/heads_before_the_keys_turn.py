# expect: ASC109 safe scope=attend
import torch


def attend(xq, xk, xv):
    xq, xk, xv = xq.transpose(1, 2), xk.transpose(1, 2), xv.transpose(1, 2)
    scores = torch.matmul(xq, xk.transpose(2, 3)) * xq.shape[-1] ** -0.5
    return torch.matmul(scores.softmax(-1), xv).transpose(1, 2)


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    for length in (1, 5):
        yield "attend", (draw(2, length, 3, 4), draw(2, 7, 3, 4), draw(2, 7, 3, 6)), {}
