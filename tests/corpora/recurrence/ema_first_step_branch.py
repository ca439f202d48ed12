# expect: ASC101 safe scope=LossTracker.curve
import torch
from torch import nn


class LossTracker(nn.Module):
    """Turns per-step losses (steps, tasks) into the curves shown on a dashboard."""

    def __init__(self, decay):
        super().__init__()
        self.decay = decay

    def curve(self, losses):
        curves = torch.empty_like(losses)
        for step, loss in enumerate(losses):
            if step == 0:
                avg = loss
            else:
                avg = self.decay * avg + (1 - self.decay) * loss
            curves[step] = avg
        return curves


def cases(rng):
    for steps in (1, 2, 50):
        losses = torch.tensor(rng.random((steps, 4)), dtype=torch.float32)
        yield "LossTracker(0.95).curve", (losses,), {}
