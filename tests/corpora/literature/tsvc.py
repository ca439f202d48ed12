"""The recurrences and reductions of TSVC (Callahan, Dongarra and Levine; Maleki et al. 2011)."""

import numpy as np


# s111: one-pass
def s111_sum(a, b, c):
    """After s111: the sum of what its steps write."""
    total = 0.0
    for i in range(1, len(a)):
        total += a[i - 1] + b[i] * c[i]
    return total


def s116_sum(a):
    total = 0.0
    for i in range(len(a) - 1):
        total += a[i + 1] * a[i]
    return total


# s221: one-pass
def s221(b, c, d):
    running = 0.0
    out = []
    for i in range(1, len(b)):
        running = running + c[i] * d[i] + b[i]
        out.append(running)
    return out


def s222_part(e):
    """After s222: e[i] = e[i-1] * e[i-1] is left out, a product of neighbours stays."""
    y = 1.0
    for i in range(len(e)):
        y = y * e[i]
    return y


# s242: one-pass
def s242(a0, b, c, d, s1, s2):
    a = a0
    for i in range(1, len(b)):
        a = a + s1 + s2 + b[i] + c[i] + d[i]
    return a


def s242_array(a, b):
    for i in range(1, len(a)):
        a[i] = a[i - 1] + b[i]
    return a


# s252: one-pass
def s252(b, c):
    t = 0.0
    out = []
    for i in range(len(b)):
        s = b[i] * c[i]
        out.append(s + t)
        t = s
    return out


def s254(b):
    x = b[len(b) - 1]
    out = []
    for i in range(len(b)):
        out.append((b[i] + x) * 0.5)
        x = b[i]
    return out


# s255: one-pass
def s255(b):
    x = y = 0.0
    out = []
    for i in range(len(b)):
        out.append((b[i] + x + y) * 0.333)
        y = x
        x = b[i]
    return out


def s255_names(b):
    x, y, z = 0.0, 0.0, 0.0
    for v in b:
        x, y, z = v, x, y
    return x + y + z


# s311: one-pass
def s311(a):
    total = 0.0
    for i in range(len(a)):
        total += a[i]
    return total


def vsumr(xs):
    total = 0.0
    for x in xs:
        total = total + x
    return total


# s312: one-pass
def s312(a):
    p = 1.0
    for i in range(len(a)):
        p *= a[i]
    return p


def s312_items(xs):
    p = 1.0
    for x in xs:
        p = x * p
    return p


# s313: one-pass
def s313(a, b):
    dot = 0.0
    for i in range(len(a)):
        dot += a[i] * b[i]
    return dot


def vdotr(xs, ys):
    dot = 0.0
    for x, y in zip(xs, ys):
        dot = dot + x * y
    return dot


# s314: one-pass
def s314(a):
    x = a[0]
    for i in range(len(a)):
        if a[i] > x:
            x = a[i]
    return x


def s316(a):
    x = a[0]
    for i in range(1, len(a)):
        if a[i] < x:
            x = a[i]
    return x


# s315: one-pass
def s315(a):
    x, index = a[0], 0
    for i in range(len(a)):
        if a[i] > x:
            x = a[i]
            index = i
    return x + index


def s318(a):
    top, index = abs(a[0]), 0
    for i in range(1, len(a)):
        if abs(a[i]) > top:
            index = i
            top = abs(a[i])
    return top + index


# s317: one-pass
def s317(n):
    q = 1.0
    for i in range(n):
        q *= 0.99
    return q


def s317_while(n):
    q = 1.0
    i = 0
    while i < n:
        q = q * 0.99
        i += 1
    return q


# s319: one-pass
def s319(c, d, e):
    total = 0.0
    for i in range(len(c)):
        a = c[i] + d[i]
        total += a
        b = c[i] + e[i]
        total += b
    return total


def s31111(a):
    total = 0.0
    for i in range(0, len(a) - 3, 4):
        total += a[i]
        total += a[i + 1]
        total += a[i + 2]
        total += a[i + 3]
    return total


# s3110: one-pass
def s3110(a):
    top, at_row, at_column = a[0, 0], 0, 0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] > top:
                top = a[i, j]
                at_row = i
                at_column = j
    return top, at_row, at_column


def s3110_value(a):
    top = a[0, 0]
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] > top:
                top = a[i, j]
    return top


# s3111: one-pass
def s3111(a):
    total = 0.0
    for i in range(len(a)):
        if a[i] > 0.0:
            total += a[i]
    return total


def s3111_conditional(xs):
    total = 0.0
    for x in xs:
        total += x if x > 0.0 else 0.0
    return total


# s3112: one-pass
def s3112(a):
    total = 0.0
    out = []
    for i in range(len(a)):
        total += a[i]
        out.append(total)
    return out


def s3112_array(a):
    b = np.zeros(len(a))
    total = 0.0
    for i in range(len(a)):
        total = total + a[i]
        b[i] = total
    return b


# s3113: one-pass
def s3113(a):
    top = abs(a[0])
    for i in range(len(a)):
        if abs(a[i]) > top:
            top = abs(a[i])
    return top


def s3113_call(xs):
    top = 0.0
    for x in xs:
        top = max(top, abs(x))
    return top


# s321: one-pass
def s321(a, b):
    last = a[0]
    out = []
    for i in range(1, len(a)):
        last = a[i] + last * b[i]
        out.append(last)
    return out


def s321_array(a, b):
    y = np.zeros(len(a))
    for i in range(1, len(a)):
        y[i] = a[i] + y[i - 1] * b[i]
    return y


# s322: one-pass
def s322(a, b, c):
    p, q = a[1], a[0]
    for i in range(2, len(a)):
        p, q = a[i] + p * b[i] + q * c[i], p
    return p


def s322_array(b, c, d):
    y = np.zeros(len(b))
    for i in range(2, len(b)):
        y[i] = d[i] + y[i - 1] * b[i] + y[i - 2] * c[i]
    return y


# s323: one-pass
def s323(c, d, e):
    b = 0.0
    out = []
    for i in range(1, len(c)):
        a = b + c[i] * d[i]
        b = a + c[i] * e[i]
        out.append(b)
    return out


def s323_total(c, d):
    b, total = 0.0, 0.0
    for i in range(len(c)):
        b = b + c[i] * d[i]
        total = total + b
    return total


# s331: one-pass
def s331(a):
    last = -1
    for i in range(len(a)):
        if a[i] < 0.0:
            last = i
    return last


def s331_value(xs):
    last = 0.0
    for x in xs:
        last = x if x < 0.0 else last
    return last


# s453: one-pass
def s453(b):
    s = 0.0
    out = []
    for i in range(len(b)):
        s += 2.0
        out.append(s * b[i])
    return out


def s452_total(b, c):
    total = 0.0
    for i in range(len(b)):
        total += b[i] + c[i] * (i + 1)
    return total


# s291: one-pass
def s291(b):
    previous = len(b) - 1
    total = 0.0
    for i in range(len(b)):
        total += (b[i] + b[previous]) * 0.5
        previous = i
    return total


def s292(b):
    near, far = len(b) - 1, len(b) - 2
    total = 0.0
    for i in range(len(b)):
        total += (b[i] + b[near] + b[far]) * 0.333
        far = near
        near = i
    return total
