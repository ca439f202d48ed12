"""Inner loops with more around them."""


def longest_block(blocks):
    longest = 0
    for name, lines in blocks:
        run = 0
        for ln in lines:
            if ln == "":
                run = 0
            else:
                run += 1
            longest = max(longest, run)
    return longest


def drawdown_by_asset(assets):
    worst = 0
    for series in assets:
        peak = 0
        for p in series:
            if p > peak:
                peak = p
            if peak - p > worst:
                worst = peak - p
    return worst


def doubled_letters(texts):
    score = 0
    for t in texts:
        prev = ""
        for c in t:
            if c == prev:
                score += 1
            prev = c
    return score


def last_of_row(grid):
    s = 0
    for row in grid:
        for x in row:
            s += x
        s = s * 2
    return s


def carry_across(grid):
    cur = 0
    best = 0
    for row in grid:
        cur += 1
        for v in row:
            cur = max(0, cur + v)
            best = max(best, cur)
        cur -= 2
    return best


def invoice_total(invoices):
    total = 0.0
    n_lines = 0
    for inv in invoices:
        sub = 0.0
        for qty, price in inv["lines"]:
            sub += qty * price
            n_lines += 1
        total += sub * (1 - inv["discount"])
    return total, n_lines


def kadane_rows(grid):
    best = 0
    for row in grid:
        cur = 0
        for v in row:
            cur = max(0, cur + v)
            best = max(best, cur)
    return best


def gc_skew_min(reads):
    worst = 0
    for read in reads:
        skew = 0
        for c in read:
            if c == "G":
                skew += 1
            elif c == "C":
                skew -= 1
            worst = min(worst, skew)
    return worst


def prefix_grid_max(grid):
    top = 0
    running = 0
    for row in grid:
        for x in row:
            running += x
        top = max(top, running)
    return top


def stale_in_an_empty_row(rows):
    total = 0
    for row in rows:
        for x in row:
            s = x
        total += s
    return total
