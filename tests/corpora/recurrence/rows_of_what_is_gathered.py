# expect: ASC101 safe scope=last
# expect: ASC101 safe scope=stacked_and_last
# expect: ASC101 safe scope=joined_by_a_comprehension
# expect: ASC101 safe scope=beside_others
# expect: ASC101 safe scope=weighted
# expect: ASC101 safe scope=added_up
# expect: ASC101 safe scope=counted
import torch


def last(x, gate):
    h = torch.zeros(x.shape[0], x.shape[2])
    states = []
    for t in range(x.shape[1]):
        h = gate[:, t] * h + x[:, t]
        states.append(h)
    return states[-1]


def stacked_and_last(x, gate):
    h = torch.zeros(x.shape[0], x.shape[2])
    states = []
    for t in range(x.shape[1]):
        h = gate[:, t] * h + x[:, t]
        states.append(h)
    return torch.stack(states, dim=1), states[-1]


def joined_by_a_comprehension(x, gate):
    h = torch.zeros(x.shape[0], x.shape[2])
    states = []
    for t in range(x.shape[1]):
        h = gate[:, t] * h + x[:, t]
        states.append(h)
    return torch.cat([state.unsqueeze(1) for state in states], dim=1)


def beside_others(x, gate):
    h = torch.zeros(x.shape[0], x.shape[2])
    states = []
    for t in range(x.shape[1]):
        h = gate[:, t] * h + x[:, t]
        states.append(h)
    return torch.stack([a * b for a, b in zip(states, x.unbind(1))], dim=1)


def weighted(x, gate):
    h = torch.zeros(x.shape[0], x.shape[2])
    states = []
    for t in range(x.shape[1]):
        h = gate[:, t] * h + x[:, t]
        states.append(h)
    loss = 0
    for t, state in enumerate(states):
        loss = loss + state.sum() * 0.5**t
    return loss


def added_up(x, gate):
    h = torch.zeros(x.shape[0], x.shape[2])
    states = []
    for t in range(x.shape[1]):
        h = gate[:, t] * h + x[:, t]
        states.append(h)
    return sum(states)


def counted(x, gate):
    h = torch.zeros(x.shape[0], x.shape[2])
    states = []
    for t in range(x.shape[1]):
        h = gate[:, t] * h + x[:, t]
        states.append(h)
    assert len(states) == gate.shape[1]
    return torch.stack(states, 1)


def cases(rng):
    names = ("last", "stacked_and_last", "joined_by_a_comprehension", "beside_others")
    for name in (*names, "weighted", "added_up", "counted"):
        for sizes in ((2, 5, 3), (1, 1, 1)):
            yield name, (torch.randn(sizes, requires_grad=True), torch.rand(sizes)), {}
