# expect: ASC109 safe scope=contexts
import torch


def contexts(decoded, encoded):
    # decoded: (B, U, H), encoded: (B, T, H)
    found = []
    for u in range(decoded.shape[1]):
        scores = torch.einsum("bh,bth->bt", decoded[:, u, :], encoded)
        found.append(torch.einsum("bt,bth->bh", torch.softmax(scores, 1), encoded))
    return torch.stack(found, dim=1)


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    for length in (1, 5):
        yield "contexts", (draw(2, length, 4), draw(2, 7, 4)), {}
