# expect: RED511 safe scope=history
# expect: RED511 unsafe scope=predicted
# expect: RED511 unsafe scope=scaled_rows
import numpy as np
import torch


def history(tokens: torch.Tensor, w: torch.Tensor):
    kept = torch.empty(0, tokens.shape[1])
    t = 0
    while t < tokens.shape[0]:
        kept = torch.cat((torch.tanh(tokens[t : t + 1] @ w), kept), dim=0)
        t += 1
    return kept


def predicted(batches: list, model):
    preds = torch.empty(0, 4)
    for batch in batches:
        preds = torch.cat([preds, model(batch)])
    return preds


def scaled_rows(rows: np.ndarray):
    result = rows[:1]
    for i in range(1, len(rows)):
        result = np.vstack([result, rows[i : i + 1] * i])
    return result


def cases(rng):
    def G(*s):
        return torch.tensor(rng.normal(size=s), dtype=torch.float32, requires_grad=True)

    yield "history", (G(5, 3), G(3, 3)), {}
    yield "history", (G(1, 3), G(3, 3)), {}
    yield "predicted", ([G(2, 4), G(1, 4)], torch.sin), {}
    yield "scaled_rows", (rng.normal(size=(5, 3)),), {}
