# expect: RED502 unsafe scope=moved
# expect: RED502 unsafe scope=Trainer.moved
# may: RED502 unsafe scope=moved_by_what_holds_it
# expect: RED502 safe scope=not_reached
import numpy as np


def halving(w: np.ndarray):
    def step(rate):
        w[:] *= rate
        return rate

    return step


def moved(w: np.ndarray, step):
    before = float(w.sum())
    loss = step(0.5)
    after = float(w.sum())
    return after - before + loss


def moved_by_what_holds_it(n: int, hold):
    w = np.ones(n)
    step = hold(w)
    before = float(w.sum())
    loss = step(0.5)
    return float(w.sum()) - before + loss


def not_reached(n: int, draw):
    w = np.ones(n)
    before = float(w.sum())
    loss = draw(0.5)
    return float(w.sum()) - before + loss


class Trainer:
    def __init__(self, w):
        self.w = w

    def moved(self, batch):
        before = float(self.w.sum())
        loss = self.step(batch)
        return float(self.w.sum()) - before + loss


class Halves(Trainer):
    def step(self, rate):
        self.w[:] *= rate
        return rate


def cases(rng):
    w = rng.normal(size=3)
    yield "lambda w: moved(w, halving(w))", (w,), {}
    yield "lambda n: moved_by_what_holds_it(n, halving)", (3,), {}
    yield "lambda n: not_reached(n, abs)", (2,), {}
    yield "lambda w: Halves(w).moved(0.5)", (w,), {}
