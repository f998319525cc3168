"""What a certificate states beyond answers that solve the equations: form, degrees, chances of error, determinants, roots,
lowest terms, poles, stability, the form of a matrix. `page` is the module check_certificate, which asks for this."""
import functools, itertools, math, random, re
from fractions import Fraction

draw = random.SystemRandom()


def degree(formula, degrees, page):
    """Bounds for the degrees of numerator and denominator, nothing cancelled."""
    def total(a, b):
        return max(a[0] + b[1], b[0] + a[1]), a[1] + b[1]
    apply = {"+": total, "-": total, "*": lambda a, b: (a[0] + b[0], a[1] + b[1]),
             "/": lambda a, b: (a[0] + b[1], a[1] + b[0]), "^": lambda a, n: (a[0] * n, a[1] * n)}
    return page.evaluate(formula, degrees, apply, lambda n: (0, 0))


def degree_bounds(c, page):
    """By answer, of N det = D det' with all denominators multiplied out; and by how much roots raise the chance of an error."""
    degrees, factor, bounds = {}, 1, []
    for letter in c["letters"]:
        degrees[letter["name"]] = 1, 0
        if letter["is"] == "root":
            page.require(isinstance(letter["degree"], int) and letter["degree"] > 1, "a root of no degree")
            above, below = degree(letter["of"], degrees, page)
            degrees[letter["name"]], factor = (max(1, above + below), below), max(factor, 2) * 2 * letter["degree"]
    rows = [[degree(formula, degrees, page) for _, formula in equation["terms"]] for equation in c["equations"]]
    whole = sum(max([0] + [n - d for n, d in row]) + sum(d for _, d in row) for row in rows)
    for a in c["answers"]:
        known = dict(degrees)
        for name, formula in a.get("definitions", []):
            page.require(name not in known, "defined twice: " + name)
            known[name] = degree(formula, known, page)
        (n, m), (d, e) = degree(a["numerator"], known, page), degree(a["denominator"], known, page)
        bounds.append(max(n + e, m + d) + whole)
    return bounds, factor


def check_form(c, bounds, factor, require):
    """Names, sources, degrees and chances of error are what they are stated to be."""
    points, names = c["points"], [letter["name"] for letter in c["letters"]]
    terms = {equation["of"]: equation["terms"] for equation in c["equations"]}
    require(c["schema"] == "sfg/certificate/1", "this is no certificate of version 1")
    require(len(set(names)) == len(names), "two letters of one name")
    require({letter["is"] for letter in c["letters"]} <= {"operator", "parameter", "function", "root"}, "an unknown kind of letter")
    require({a["mode"] for a in c["answers"]} <= {"source", "injected", "ratio"}, "an unknown kind of answer")
    require(all(isinstance(name, str) for name in [*names, *c["signals"], *terms]), "names are texts")
    require(len({point["prime"] for point in points}) == len(points) > 1, "fewer than two points, or a prime occurs twice")
    formulas = [formula for some in terms.values() for _, formula in some] + [letter["of"] for letter in c["letters"] if letter["is"] == "root"]
    for a, bound in zip(c["answers"], bounds):
        name = a["output"] + "/" + a["input"]
        require(int(a["degree_bound"]) == bound, f"the degree bound of {name} is {bound}, not {a['degree_bound']}")
        chance = (min(factor * bound, 2**60) / 2**60) ** len(points)
        require(abs(a["error_bound"] - chance) <= 1e-9 * chance, f"the error bound of {name} is {chance}, not {a['error_bound']}")
        require(a["mode"] == "ratio" or a["driven"] == a["input"], f"{name} is the response to another input")
        require(terms[a["driven"]] == [[a["driven"], "1"]] or a["mode"] != "source", a["driven"] + " is no source")
        formulas += [a["numerator"], a["denominator"], *(formula for _, formula in a.get("definitions", []))]
    require(not any(re.search(r"\^\s*\d+\s*\^", formula) for formula in formulas), "a power of a power")
    for letter in c["letters"]:
        if letter["is"] == "function":
            print(f"letter {letter['name']} stands for {letter['of']}: the answers hold for any value of it")
    print(f"form: {len(names)} letters, {len(terms)} equations, {len(c['answers'])} answers, all degrees as stated")


def check_points(c, page):
    """Of the stated points what check_certificate does not look at: letters, roots, determinants."""
    for number, point in enumerate(c["points"], 1):
        p, values = int(point["prime"]), [int(value) for value in point["letters"]]
        page.require(len(values) == len(c["letters"]) and all(0 <= value < p for value in values), f"point {number}: its letters")
        values = {letter["name"]: value for letter, value in zip(c["letters"], values)}
        for letter in c["letters"]:
            if letter["is"] == "root":
                is_root = pow(values[letter["name"]], letter["degree"], p) == page.residue(letter["of"], values, p)
                page.require(is_root, f"point {number}: {letter['name']} is no root")
        rows = [{signal: page.residue(formula, values, p) for signal, formula in equation["terms"]} for equation in c["equations"]]
        determinant, _ = page.solve(rows, p)
        page.require(int(point["determinant"]) in (determinant, p - determinant), f"point {number}: its determinant")
    print("stated points: letters, roots and determinants are right")


def random_point(letters, bits, page):
    """A prime, and values of the letters at which all roots exist: modulo p = 3 modulo 4 squares have one root that is a square."""
    roots = [letter["degree"] for letter in letters if letter["is"] == "root"]
    for attempt in range(20000):
        if attempt % 20 == 0:
            p = 0
            while not p or any(math.gcd(q, p >> 1) > 1 for q in roots) or not page.is_prime(p):
                p = draw.getrandbits(bits) | 1 << bits | 3
        values = {}
        for letter in letters:
            value = draw.randrange(1, p) ** (2 if roots else 1) % p
            if letter["is"] == "root":
                under, q = page.residue(letter["of"], values, p), letter["degree"]
                sign = 1 if pow(under, p >> 1, p) == 1 else -1
                if sign < 0 and q % 2 == 0:
                    break
                value = sign * pow(sign * under, pow(q, -1, p >> 1), p) % p
            values[letter["name"]] = value
        else:
            return p, values
    page.require(False, "no point was found at which all roots exist")


def on_line(formula, lines, page, p=None):
    """The polynomial that it is where every letter is a polynomial in t, lowest power first; modulo p, or exact."""
    def reduced(polynomial):
        return [x % p for x in polynomial] if p else polynomial

    def product(a, b):
        values = [0] * (len(a) + len(b) - 1)
        for (i, x), (j, y) in itertools.product(enumerate(a), enumerate(b)):
            values[i + j] += x * y
        return reduced(values)

    def quotient(a, b):
        page.require(len(b) == 1, "a polynomial was claimed: " + formula[:60])
        return product(a, [pow(b[0], -1, p) if p else 1 / Fraction(b[0])])

    def power(a, n):
        return functools.reduce(product, [a] * n, [1])
    apply = {"+": lambda a, b: reduced([x + y for x, y in itertools.zip_longest(a, b, fillvalue=0)]),
             "-": lambda a, b: reduced([x - y for x, y in itertools.zip_longest(a, b, fillvalue=0)]),
             "*": product, "/": quotient, "^": power}
    return page.evaluate(formula, lines, apply, lambda n: reduced([n]))


def coprime(a, b, p):
    while any(b):
        while not b[-1]:
            b.pop()
        while len(a) >= len(b):
            factor = a[-1] * pow(b[-1], -1, p)
            a = [(x - factor * y) % p for x, y in zip(a, [0] * (len(a) - len(b)) + b)][:-1]
        a, b = b, a
    return len(a) == 1


def check_poles(a, operator, page):
    """Each factor of the denominator has one root in each disc |z - z_i| <= n |f(z_i)| / prod |z_i - z_j| of n disjoint ones (Smith)."""
    require = page.require
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
    below = on_line(a["denominator"], {operator: [0, 1]}, page)[::-1]
    below = list(itertools.dropwhile(lambda k: k == 0, below))
    require(below and [k / Fraction(below[0]) for k in below] == product, "the factors are not those of " + a["denominator"][:60])
    require(stable if a["stable"] else mirrored, f"{a['output']}/{a['input']}: 'stable' is not {a['stable']}")


def modulo(a, b, p):
    """Quotient and remainder of polynomials, lowest power first, modulo p."""
    a, b = trimmed(a), trimmed(b)
    quotient, inverse = [0] * max(0, len(a) - len(b) + 1), pow(b[-1], -1, p)
    while len(a) >= len(b):
        factor, shift = a[-1] * inverse % p, len(a) - len(b)
        quotient[shift] = factor
        a = trimmed([(x - factor * y) % p for x, y in zip(a, [0] * shift + b)])
    return quotient, a


def trimmed(a):
    a = list(a)
    while a and not a[-1]:
        a.pop()
    return a


def times(a, b, p):
    product = [0] * max(0, len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            product[i + j] = (product[i + j] + x * y) % p
    return trimmed(product)


def divisor(a, b, p):
    a, b = trimmed(a), trimmed(b)
    while b:
        a, b = b, modulo(a, b, p)[1]
    return [x * pow(a[-1], -1, p) % p for x in a]


def minor(rows, p):
    """The determinant of polynomials modulo p, by Bareiss' elimination."""
    rows, before, sign = [list(map(trimmed, row)) for row in rows], [1], 1
    for k in range(len(rows)):
        at = next((i for i in range(k, len(rows)) if rows[i][k]), None)
        if at is None:
            return []
        sign, rows[k], rows[at] = sign if at == k else -sign, rows[at], rows[k]
        for i in range(k + 1, len(rows)):
            for j in range(k + 1, len(rows)):
                left, right = times(rows[k][k], rows[i][j], p), times(rows[i][k], rows[k][j], p)
                difference = [(x - y) % p for x, y in itertools.zip_longest(left, right, fillvalue=0)]
                rows[i][j] = modulo(difference, before, p)[0]
        before = rows[k][k]
    return trimmed([sign * x % p for x in before])


def check_matrix(c, operator, p, page):
    """The products of the first k entries of the Smith-McMillan form are the greatest common divisors of all minors of size k of
    the matrix of the answers, each found of two random sums of such minors."""
    require, claim, entries, common = page.require, c["matrix"], {}, [1]
    for a in c["answers"]:
        require(a["lowest_terms"] and a["mode"] != "ratio", "a matrix of other than transfer functions in lowest terms")
        above, below = (trimmed(on_line(a[part], {operator: [0, 1]}, page, p)) for part in ("numerator", "denominator"))
        entries[a["output"], a["input"]] = above, below
        common = modulo(times(common, below, p), divisor(common, below, p), p)[0]
    outputs, inputs = claim["outputs"], claim["inputs"]
    places = [(output, column) for output in outputs for column in inputs]
    require(len(set(places)) == len(places) == len(c["answers"]) == len(entries) and set(places) == set(entries), "the matrix is not that of the answers")
    rows = [[times(entries[output, column][0], modulo(common, entries[output, column][1], p)[0], p) for column in inputs] for output in outputs]
    form = [[trimmed(on_line(text, {operator: [0, 1]}, page, p)) for text in entry] for entry in claim["smith_mcmillan"]]
    require(all(n and d and n[-1] == d[-1] == 1 and divisor(n, d, p) == [1] for n, d in form), "an entry of the form is not monic, or not in lowest terms")
    for (n, d), (next_n, next_d) in zip(form, form[1:]):
        require(not modulo(next_n, n, p)[1] and not modulo(d, next_d, p)[1], "the entries of the form do not divide one another")
    above, below = [1], [1]
    for k in range(1, min(len(outputs), len(inputs)) + 1):
        sums = []
        for _ in range(2):
            left = [[draw.randrange(p) for _ in outputs] for _ in range(k)]
            right = [[draw.randrange(p) for _ in range(k)] for _ in inputs]
            sums.append(minor([[combined([(x * right[j][n] % p, rows[i][j]) for i, x in enumerate(row) for j in range(len(inputs))], p)
                                for n in range(k)] for row in left], p))
        if k > len(form):
            require(not any(sums), "the rank of the matrix is higher")
            continue
        above, below = times(above, form[k - 1][0], p), times(below, form[k - 1][1], p)
        power = functools.reduce(lambda a, _: times(a, common, p), range(k), [1])
        require(any(sums) and times(divisor(*sums, p), below, p) == times(above, [x * pow(power[-1], -1, p) % p for x in power], p),
                f"the minors of size {k} have another common divisor")
    print(f"matrix of {len(outputs)} outputs and {len(inputs)} inputs: its Smith-McMillan form has the common divisors of the minors")


def combined(terms, p):
    length = max(len(polynomial) for _, polynomial in terms)
    return trimmed([sum(factor * polynomial[i] for factor, polynomial in terms if i < len(polynomial)) % p for i in range(length)])


def check(c, page):
    require, (bounds, factor) = page.require, degree_bounds(c, page)
    check_form(c, bounds, factor, require)
    check_points(c, page)
    bits = (factor * max(bounds)).bit_length() + 60
    for _ in range(3):
        p, values = random_point(c["letters"], bits, page)
        page.evidence(c, p, values)
    print(f"3 own points: modulo primes of {p.bit_length()} bits, by the degrees, a wrong answer passes with a chance below 2^-180")
    p, values = random_point(c["letters"], 200, page)
    for a in c["answers"]:
        name = a["output"] + "/" + a["input"]
        if a["lowest_terms"]:
            require(all(letter["is"] != "root" for letter in c["letters"]), "lowest terms with roots are not defined here")
            lines = {letter: [value, draw.randrange(1, p)] for letter, value in values.items()}
            parts = [on_line(a[part], lines, page, p) for part in ("numerator", "denominator")]
            require(coprime(*parts, p), name + " is not in lowest terms")
            print(f"{name}: numerator and denominator have no common factor")
        if "poles" in a:
            operator = [letter["name"] for letter in c["letters"] if letter["is"] == "operator"][0]
            check_poles(a, operator, page)
            print(f"{name}: one pole in each of the discs, {'all' if a['stable'] else 'not all'} on the stable side")
    if "matrix" in c:
        operator = [letter["name"] for letter in c["letters"] if letter["is"] == "operator"][0]
        require(len(c["letters"]) == 1, "a matrix is of numbers alone")
        check_matrix(c, operator, random_point(c["letters"], 200, page)[0], page)
