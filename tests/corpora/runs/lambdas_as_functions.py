# expect: ASC109 safe scope=called.attend
# expect: ASC109 safe scope=handed_out.attend
import torch
import torch.nn.functional as F


def called(q, k, v):
    attend = lambda t: F.softmax(q @ k.mT / t, -1) @ v
    return attend(2.0) + attend(3.0)


def handed_out(q, k, v):
    attend = lambda x=q: F.softmax(x @ k.mT, -1) @ v
    return attend(2 * q), attend


def cases(rng):
    draw = lambda *shape: torch.tensor(rng.normal(size=shape), dtype=torch.float32)
    three = lambda: (draw(5, 4), draw(5, 4), draw(5, 4))
    yield "called", three(), {}
    yield "lambda q, k, v: handed_out(q, k, v)[0]", three(), {}
    yield "lambda q, k, v: handed_out(q, k, v)[1](k)", three(), {}
