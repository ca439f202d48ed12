# refuse: RED510 one key counts steps, not different items


class Optimizer:
    def __init__(self, params):
        self.params, self.state = params, {p: {} for p in params}

    def step(self):
        for p in self.params:
            state = self.state[p]
            if len(state) == 0:
                state["step"] = 0
            # more conservative since it's an approximated value
            state["step"] += 1
        return self.state


def cases(rng):
    yield "Optimizer([1, 2]).step", (), {}
