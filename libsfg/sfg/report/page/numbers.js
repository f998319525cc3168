'use strict';
// Numbers of some 32 digits: the unevaluated sum of two doubles [high, low] (Dekker, Numer. Math. 18, 1971), and complex ones
// [re high, re low, im high, im low].
const real = (() => {
  const splitter = 134217729;  // 2^27 + 1
  const product = (a, b) => {
    const p = a * b, ca = splitter * a, cb = splitter * b, ah = ca - (ca - a), bh = cb - (cb - b), al = a - ah, bl = b - bh;
    const e = ((ah * bh - p) + ah * bl + al * bh) + al * bl;
    return [p, Number.isFinite(e) ? e : 0];
  };
  const quick = (h, l) => { const s = h + l; return Number.isFinite(s) ? [s, l - (s - h)] : [s, 0]; };
  const add = (a, b) => {
    const s = a[0] + b[0], v = s - a[0], e = (a[0] - (s - v)) + (b[0] - v);
    const t = a[1] + b[1], w = t - a[1], f = (a[1] - (t - w)) + (b[1] - w);
    const r = quick(s, e + t);
    return quick(r[0], r[1] + f);
  };
  const neg = a => [-a[0], -a[1]];
  const sub = (a, b) => add(a, neg(b));
  const mul = (a, b) => { const p = product(a[0], b[0]); return quick(p[0], p[1] + (a[0] * b[1] + a[1] * b[0])); };
  const div = (a, b) => {
    const q = a[0] / b[0];
    if (!Number.isFinite(q) || q === 0) return [q, 0];
    let r = sub(a, mul(b, [q, 0]));
    const q2 = r[0] / b[0];
    r = sub(r, mul(b, [q2, 0]));
    return add(quick(q, q2), [r[0] / b[0], 0]);
  };
  const power = (a, n) => {
    let r = [1, 0], b = a;
    for (let k = Math.abs(n); k > 0; k = Math.floor(k / 2)) {
      if (k % 2) r = mul(r, b);
      if (k > 1) b = mul(b, b);
    }
    return n < 0 ? div([1, 0], r) : r;
  };
  const sqrt = a => {
    if (!(a[0] > 0)) return [Math.sqrt(a[0]), 0];
    const x = Math.sqrt(a[0]);
    return Number.isFinite(x) ? add([x, 0], [sub(a, product(x, x))[0] / (2 * x), 0]) : [x, 0];
  };
  const ln2 = [0.6931471805599453, 2.3190468138462996e-17], pi = [3.141592653589793, 1.2246467991473532e-16];
  const exp = a => {
    if (a[0] > 709.7 || a[0] < -745 || !Number.isFinite(a[0])) return [Math.exp(a[0]), 0];
    const k = Math.round(a[0] / ln2[0]), r = mul(sub(a, mul(ln2, [k, 0])), [1 / 512, 0]);
    let term = r, sum = r;  // of e^r − 1, which loses nothing when it is squared
    for (let n = 2; n < 12 && term[0] !== 0; ++n) sum = add(sum, term = div(mul(term, r), [n, 0]));
    for (let i = 0; i < 9; ++i) sum = add(add(sum, sum), mul(sum, sum));
    sum = add(sum, [1, 0]);
    const half = Math.trunc(k / 2), by = 2 ** half, rest = 2 ** (k - half);
    return [sum[0] * by * rest, sum[1] * by * rest];
  };
  /** Cosine and sine. */
  const turn = a => {
    const k = Math.round(a[0] / (pi[0] / 2)), r = sub(a, mul(pi, [k / 2, 0])), square = neg(mul(r, r));
    let c = [1, 0], s = r, term = [1, 0];
    for (let n = 1, odd = r; n < 30 && (term[0] !== 0 || odd[0] !== 0); ++n) {
      term = div(mul(term, square), [(2 * n - 1) * (2 * n), 0]);
      odd = div(mul(odd, square), [2 * n * (2 * n + 1), 0]);
      c = add(c, term);
      s = add(s, odd);
    }
    switch (((k % 4) + 4) % 4) {
      case 0: return [c, s];
      case 1: return [neg(s), c];
      case 2: return [neg(c), neg(s)];
      default: return [s, neg(c)];
    }
  };
  const log = a => {  // one step of Newton's method
    const x = Math.log(a[0]);
    return Number.isFinite(x) ? add([x, 0], sub(mul(a, exp([-x, 0])), [1, 0])) : [x, 0];
  };
  /** The decimal that a double is written as, exactly: 0.1 is 1/10. */
  const ofDecimal = x => {
    const m = /^(-?)(\d+)(?:\.(\d+))?(?:e([-+]\d+))?$/.exec(String(x));
    if (!m) return [x, 0];
    let digits = [0, 0];
    for (const c of m[2] + (m[3] || '')) digits = add(mul(digits, [10, 0]), [+c, 0]);
    const ten = Number(m[4] || 0) - (m[3] || '').length, by = power([10, 0], Math.min(Math.abs(ten), 300));
    const value = ten < 0 ? div(digits, by) : mul(digits, by);
    if (Math.abs(ten) > 300 || !Number.isFinite(value[0])) return [x, 0];
    return m[1] ? neg(value) : value;
  };
  return { add, sub, mul, div, neg, power, sqrt, exp, log, turn, pi, product, ofDecimal };
})();

const complex = (() => {
  const of = (a, b = [0, 0]) => [a[0], a[1], b[0], b[1]];
  const re = z => [z[0], z[1]], im = z => [z[2], z[3]];
  const add = (a, b) => of(real.add(re(a), re(b)), real.add(im(a), im(b)));
  const neg = a => [-a[0], -a[1], -a[2], -a[3]];
  const sub = (a, b) => add(a, neg(b));
  const mul = (a, b) => {
    const ar = re(a), ai = im(a), br = re(b), bi = im(b);
    return of(real.sub(real.mul(ar, br), real.mul(ai, bi)), real.add(real.mul(ar, bi), real.mul(ai, br)));
  };
  const conj = a => [a[0], a[1], -a[2], -a[3]];
  const scale = (a, x) => of(real.mul(re(a), x), real.mul(im(a), x));
  const by2 = (a, k) => [a[0] * k, a[1] * k, a[2] * k, a[3] * k];
  const div = (a, b) => {
    const size = Math.max(Math.abs(b[0]), Math.abs(b[2]));
    if (!(size > 0) || !Number.isFinite(size)) return [a[0] / 0, 0, a[2] / 0, 0];
    const k = 2 ** -Math.floor(Math.log2(size)), c = by2(b, k), d = conj(c);
    const m = real.add(real.mul(re(c), re(c)), real.mul(im(c), im(c))), t = mul(by2(a, k), d);
    return of(real.div(re(t), m), real.div(im(t), m));
  };
  const abs = a => Math.hypot(a[0], a[2]);
  const exp = a => {
    const size = real.exp(re(a)), [c, s] = real.turn(im(a));
    return of(real.mul(size, c), real.mul(size, s));
  };
  const zero = [0, 0, 0, 0], one = [1, 0, 0, 0];
  return { of, re, im, add, sub, mul, div, neg, conj, scale, by2, abs, exp, zero, one };
})();

// What runs the programs of the compiled model: places for values, and the operations that a program names.

/** Real values of 32 digits. */
function realMachine(program) {
  const v = new Array(program.size).fill([0, 0]);
  for (const [place, high, low] of program.numbers) v[place] = [high, low];
  const one = g => x => [g(x[0]), 0];
  const functions = {
    sqrt: real.sqrt, exp: real.exp, log: real.log, cos: x => real.turn(x)[0], sin: x => real.turn(x)[1],
    tan: x => { const [c, s] = real.turn(x); return real.div(s, c); },
    sinh: x => { const e = real.exp(x); return Math.abs(x[0]) < 0.1 ? [Math.sinh(x[0]), 0] : real.mul(real.sub(e, real.div([1, 0], e)), [0.5, 0]); },
    cosh: x => { const e = real.exp(x); return real.mul(real.add(e, real.div([1, 0], e)), [0.5, 0]); },
    asin: one(Math.asin), acos: one(Math.acos), atan: one(Math.atan), tanh: one(Math.tanh),
    atan2: (y, x) => [Math.atan2(y[0], x[0]), 0], power: (x, y) => x[0] > 0 ? real.exp(real.mul(y, real.log(x))) : [x[0] ** y[0], 0],
    abs: x => x[0] < 0 ? real.neg(x) : x, sign: x => [Math.sign(x[0]), 0], step: x => [x[0] < 0 ? 0 : 1, 0],
    min: (x, y) => y[0] < x[0] ? y : x, max: (x, y) => y[0] > x[0] ? y : x, floor: one(Math.floor),
  };
  const r = {
    a: (k, i, j) => { v[k] = real.add(v[i], v[j]); }, s: (k, i, j) => { v[k] = real.sub(v[i], v[j]); },
    m: (k, i, j) => { v[k] = real.mul(v[i], v[j]); }, d: (k, i, j) => { v[k] = real.div(v[i], v[j]); },
    n: (k, i) => { v[k] = real.neg(v[i]); }, p: (k, i, e) => { v[k] = real.power(v[i], e); },
    f: (k, name, i, j) => { v[k] = functions[name](v[i], v[j]); },
  };
  return inputs => {
    program.inputs.forEach((place, i) => { if (place >= 0) v[place] = inputs[i]; });
    for (const piece of program.code) piece(r);
    return program.outputs.map(place => v[place]);
  };
}

/** Complex values in double precision, [re, im]. */
function complexMachine(program) {
  const v = new Array(program.size).fill([0, 0]);
  for (const [place, high] of program.numbers) v[place] = [high, 0];
  const mul = (a, b) => [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]];
  const div = (a, b) => {
    if (Math.abs(b[0]) >= Math.abs(b[1])) {
      const q = b[1] / b[0], m = b[0] + b[1] * q;
      return [(a[0] + a[1] * q) / m, (a[1] - a[0] * q) / m];
    }
    const q = b[0] / b[1], m = b[0] * q + b[1];
    return [(a[0] * q + a[1]) / m, (a[1] * q - a[0]) / m];
  };
  const add = (a, b) => [a[0] + b[0], a[1] + b[1]], sub = (a, b) => [a[0] - b[0], a[1] - b[1]];
  const exp = ([x, y]) => [Math.exp(x) * Math.cos(y), y === 0 ? 0 : Math.exp(x) * Math.sin(y)];
  const log = ([x, y]) => [Math.log(Math.hypot(x, y)), Math.atan2(y, x)];
  const sqrt = ([x, y]) => {
    const m = Math.hypot(x, y), u = Math.sqrt((m + Math.abs(x)) / 2);
    if (u === 0) return [0, 0];
    return x >= 0 ? [u, y / (2 * u)] : [Math.abs(y) / (2 * u), y < 0 ? -u : u];
  };
  const sin = ([x, y]) => [Math.sin(x) * Math.cosh(y), Math.cos(x) * Math.sinh(y)];
  const cos = ([x, y]) => [Math.cos(x) * Math.cosh(y), -Math.sin(x) * Math.sinh(y)];
  const sinh = ([x, y]) => [Math.sinh(x) * Math.cos(y), Math.cosh(x) * Math.sin(y)];
  const cosh = ([x, y]) => [Math.cosh(x) * Math.cos(y), Math.sinh(x) * Math.sin(y)];
  const tanh = ([x, y]) => {
    if (Math.abs(x) > 20) return [Math.sign(x), 4 * Math.sin(y) * Math.cos(y) * Math.exp(-2 * Math.abs(x))];
    return div(sinh([x, y]), cosh([x, y]));
  };
  const i = [0, 1];
  const asin = z => { const w = log(add(mul(i, z), sqrt(sub([1, 0], mul(z, z))))); return [w[1], -w[0]]; };
  const power = (a, b) => a[0] === 0 && a[1] === 0 ? [b[0] === 0 ? 1 : 0, 0] : a[1] === 0 && b[1] === 0 && a[0] > 0 ? [a[0] ** b[0], 0] : exp(mul(b, log(a)));
  const one = g => z => [g(z[0]), 0];
  const functions = {
    sqrt, exp, log, sin, cos, tan: z => div(sin(z), cos(z)), asin, acos: z => sub([Math.PI / 2, 0], asin(z)),
    atan: z => { const w = mul(i, sub(log(sub([1, 0], mul(i, z))), log(add([1, 0], mul(i, z))))); return [w[0] / 2, w[1] / 2]; },
    atan2: (y, x) => [Math.atan2(y[0], x[0]), 0], sinh, cosh, tanh, abs: z => [Math.hypot(z[0], z[1]), 0],
    sign: one(Math.sign), step: one(x => x < 0 ? 0 : 1), floor: one(Math.floor), power,
    min: (x, y) => y[0] < x[0] ? y : x, max: (x, y) => y[0] > x[0] ? y : x,
  };
  const whole = (a, n) => {
    let r = [1, 0], b = a;
    for (let k = Math.abs(n); k > 0; k = Math.floor(k / 2)) {
      if (k % 2) r = mul(r, b);
      if (k > 1) b = mul(b, b);
    }
    return n < 0 ? div([1, 0], r) : r;
  };
  const r = {
    a: (k, x, y) => { v[k] = add(v[x], v[y]); }, s: (k, x, y) => { v[k] = sub(v[x], v[y]); },
    m: (k, x, y) => { v[k] = mul(v[x], v[y]); }, d: (k, x, y) => { v[k] = div(v[x], v[y]); },
    n: (k, x) => { v[k] = [-v[x][0], -v[x][1]]; }, p: (k, x, e) => { v[k] = whole(v[x], e); },
    f: (k, name, x, y) => { v[k] = functions[name](v[x], v[y]); },
  };
  return inputs => {
    program.inputs.forEach((place, k) => { if (place >= 0) v[place] = inputs[k]; });
    for (const piece of program.code) piece(r);
    return program.outputs.map(place => v[place]);
  };
}
