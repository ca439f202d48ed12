# refuse: the input of each step comes from an environment that is told the state
import torch


class Spring:
    def __init__(self):
        self.x = torch.ones(2)

    def step(self, action):
        self.x = self.x - 0.1 * action
        return self.x


def rollout(env, steps, decay=0.9):
    belief = torch.zeros(2)
    beliefs = []
    for _ in range(steps):
        obs = env.step(belief)
        belief = decay * belief + (1 - decay) * obs
        beliefs.append(belief)
    return torch.stack(beliefs)


def cases(rng):
    yield "lambda steps: rollout(Spring(), steps)", (20,), {}
