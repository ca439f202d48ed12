# refuse: the condition has an effect that any() with its early stop would skip
class Validator:
    def __init__(self):
        self.log = []

    def check(self, row):
        self.log.append(row)
        return row < 0


def validate(rows, validator):
    failed = False
    for row in rows:
        if validator.check(row):
            failed = True
    return failed, validator.log


def cases(rng):
    yield "lambda rows: validate(rows, Validator())", ([1, -2, 3, -4, 5],), {}
