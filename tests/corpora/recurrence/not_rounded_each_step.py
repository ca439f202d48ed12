# refuse: the balance is rounded to cents every month
def balances(deposits, monthly_rate):
    balance = 0.0
    history = []
    for deposit in deposits:
        balance = round(balance * (1 + monthly_rate) + deposit, 2)
        history.append(balance)
    return history


def cases(rng):
    yield "balances", ([100.0, 250.5, 13.37] * 6, 0.0031), {}
