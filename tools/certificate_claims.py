"""What a certificate claims of its answers beyond that they solve the equations: lowest terms, poles, stability."""
import itertools, random
from fractions import Fraction

draw = random.SystemRandom()


def on_line(formula, lines, evaluate, require, p=None):
    """The polynomial that it is where every letter is a polynomial in t, lowest power first; modulo p, or exact."""
    def join(sign, a, b):
        if sign in "+-":
            sums = [x + y if sign == "+" else x - y for x, y in itertools.zip_longest(a, b, fillvalue=0)]
            return [x % p for x in sums] if p else sums
        require(sign != "/" or len(b) == 1, "a polynomial was claimed: " + formula[:60])
        inverse = [pow(b[0], -1, p) if p else 1 / Fraction(b[0])] if sign == "/" else None
        for b in [b] if sign == "*" else [inverse] if inverse else [a] * (b - 1):
            product = [0] * (len(a) + len(b) - 1)
            for (i, x), (j, y) in itertools.product(enumerate(a), enumerate(b)):
                product[i + j] += x * y
            a = [x % p for x in product] if p else product
        return a
    return evaluate(formula, lines, lambda n: [n % p if p else n], join)


def coprime(a, b, p):
    while any(b):
        while not b[-1]:
            b.pop()
        while len(a) >= len(b):
            factor = a[-1] * pow(b[-1], -1, p)
            a = [(x - factor * y) % p for x, y in zip(a, [0] * (len(a) - len(b)) + b)][:-1]
        a, b = b, a
    return len(a) == 1


def check_poles(a, operator, evaluate, require):
    """Each factor of the denominator has one root in each disc |z - z_i| <= n |f(z_i)| / prod |z_i - z_j| of n disjoint ones (Smith)."""
    product, stable, mirrored = [Fraction(1)], True, False
    for claim in a["poles"]:
        f, discs = list(map(Fraction, claim["factor"])), [list(map(Fraction, disc)) for disc in claim["discs"]]
        n, name = len(f) - 1, f"{a['output']}/{a['input']}: factor {claim['factor']}"
        require(n > 0 and f[0] == 1 and n == len(discs), name + " has not as many discs as roots")
        for i, (x, y, radius) in enumerate(discs):
            u, v, apart = Fraction(0), Fraction(0), Fraction(1)
            for coefficient in f:
                u, v = u * x - v * y + coefficient, u * y + v * x
            for j, (x2, y2, radius2) in enumerate(discs):
                if j != i:
                    distance = (x - x2) ** 2 + (y - y2) ** 2
                    require(distance > (radius + radius2) ** 2, name + ": discs meet")
                    apart *= distance
            require(radius >= 0 and n * n * (u * u + v * v) <= radius * radius * apart, name + ": a disc is too small")
            inside = x + radius < 0 if operator != "z" else radius < 1 and x * x + y * y < (1 - radius) ** 2
            outside = x > radius if operator != "z" else x * x + y * y > (1 + radius) ** 2
            stable, mirrored = stable and inside, mirrored or outside
        image = [(-1) ** i * k for i, k in enumerate(f)] if operator != "z" else f[::-1]
        mirrored = mirrored or image in (f, [-k for k in f])  # with z also -z (1/z) is a root
        for _ in range(claim["multiplicity"]):
            product = [sum(product[k] * f[i - k] for k in range(len(product)) if 0 <= i - k <= n) for i in range(len(product) + n)]
    below = on_line(a["denominator"], {operator: [0, 1]}, evaluate, require)[::-1]
    below = list(itertools.dropwhile(lambda k: k == 0, below))
    require(below and [k / Fraction(below[0]) for k in below] == product, "the factors are not those of " + a["denominator"][:60])
    require(stable if a["stable"] else mirrored, f"{a['output']}/{a['input']}: 'stable' is not {a['stable']}")


def check(c, evaluate, require, point):
    """`point`: a prime and a value of every letter."""
    p, values = point
    for a in c["answers"]:
        name = a["output"] + "/" + a["input"]
        if a["lowest_terms"]:
            require(all(letter["is"] != "root" for letter in c["letters"]), "lowest terms with roots are not defined here")
            lines = {letter: [value, draw.randrange(1, p)] for letter, value in values.items()}
            parts = [on_line(a[part], lines, evaluate, require, p) for part in ("numerator", "denominator")]
            require(coprime(*parts, p), name + " is not in lowest terms")
            print(f"{name}: numerator and denominator have no common factor")
        if "poles" in a:
            operator = [letter["name"] for letter in c["letters"] if letter["is"] == "operator"][0]
            check_poles(a, operator, evaluate, require)
            print(f"{name}: one pole in each of the discs, {'all' if a['stable'] else 'not all'} on the stable side")
