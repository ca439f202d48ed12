# refuse: prints in the loop
import torch


def anneal(x, decay):
    s = x[0]
    for t in range(1, x.shape[0]):
        s = decay * s + (1 - decay) * x[t]
        if t % 10 == 0:
            print(f"step {t}: {s.mean():.3f}")
    return s


def cases(rng):
    yield "anneal", (torch.tensor(rng.standard_normal((25, 3)), dtype=torch.float32), 0.9), {}
