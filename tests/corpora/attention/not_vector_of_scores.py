# refuse: ASC109 the scores are one number a pair, made by a vector
import torch


def attend(query, key, value, weight):
    hidden = torch.tanh(query.unsqueeze(2) + key.unsqueeze(1))
    scores = hidden @ weight
    return scores.softmax(-1) @ value


def cases(rng):
    def made(*shape):
        return torch.tensor(rng.standard_normal(shape), requires_grad=True)

    yield "attend", (made(2, 5, 4), made(2, 6, 4), made(2, 6, 3), made(4)), {}
    yield "attend", (made(1, 1, 2), made(1, 2, 2), made(1, 2, 2), made(2)), {}
