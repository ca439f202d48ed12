# expect: ASC101 safe scope=train
import torch


class Env:
    def __init__(self, numbers):
        self.numbers = iter(numbers)

    def step(self, obs):
        reward, done = next(self.numbers)
        return obs + torch.tensor(reward), reward, done


def train(env, agent, start, updates: int, steps: int, envs: int, gamma: float, lam: float):
    rewards = torch.zeros((steps, envs))
    dones = torch.zeros((steps, envs))
    values = torch.zeros((steps, envs))
    next_obs, next_done = start, torch.zeros(envs)
    kept = []
    for update in range(updates):
        for step in range(steps):
            dones[step] = next_done
            values[step] = agent(next_obs).flatten()
            next_obs, reward, done = env.step(next_obs)
            rewards[step] = torch.tensor(reward).view(-1)
            next_done = torch.Tensor(done)
        next_value = agent(next_obs).reshape(1, -1)
        advantages = torch.zeros_like(rewards)
        last = 0
        for t in reversed(range(steps)):
            if t == steps - 1:
                alive = 1.0 - next_done
                following = next_value
            else:
                alive = 1.0 - dones[t + 1]
                following = values[t + 1]
            delta = rewards[t] + gamma * following * alive - values[t]
            advantages[t] = last = delta + gamma * lam * alive * last
        kept.append(advantages)
    return torch.stack(kept)


def run(numbers, steps, envs):
    return train(Env(numbers), torch.sin, torch.zeros(envs), 2, steps, envs, 0.97, 0.9)


def cases(rng):
    for steps, envs in ((7, 3), (1, 1), (2, 5)):
        numbers = [(rng.standard_normal(envs).tolist(), (rng.random(envs) < 0.3).tolist())
                   for _ in range(2 * steps)]  # fmt: skip
        yield "run", (numbers, steps, envs), {}
