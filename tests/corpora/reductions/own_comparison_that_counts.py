# expect: ASC106 unsafe scope=best
# Each comparison is counted, and `max` makes one less.


class Player:
    asked = 0

    def __init__(self, score):
        self.score = score

    def __gt__(self, other):
        Player.asked += 1
        return self.score > other.score


def best(players):
    kept = players[0]
    for player in players:
        if player > kept:
            kept = player
    return kept


def counted(scores):
    before = Player.asked
    kept = best([Player(score) for score in scores])
    return kept.score, Player.asked - before


def cases(rng):
    yield "counted", ([3, 1, 2],), {}
