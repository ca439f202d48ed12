# expect: ASC101 safe scope=f
import torch


def f(x: torch.Tensor, a: torch.Tensor, b: torch.Tensor):
    state = {"h": torch.zeros(x.shape[1]), "n": 0}
    ys = []
    for t in range(x.shape[0]):
        state["h"] = state["h"] * a + x[t] * b
        state["n"] += 1
        ys.append(state["h"] / state["n"])
    return torch.stack(ys)


def cases(rng):
    def G(*s):
        return torch.tensor(rng.random(s), dtype=torch.float32, requires_grad=True)

    yield "f", (G(7, 3), G(3), G(3)), {}
