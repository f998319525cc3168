'use strict';
// Numbers of some 270 digits, m·2^e with a whole m of at most 900 bits: poles that fall together, or nearly so, cost digits in
// proportion to how many they are. x[0] is the nearest double; what is no number is NaN there.
class Real {
  constructor(m, e) { this.m = m; this.e = e; }
  get 0() {
    const half = Math.trunc(this.e / 2);
    return Number(this.m) * 2 ** half * 2 ** (this.e - half);
  }
}
const real = (() => {
  const digits = 900;  // binary ones
  const whole = Array.from({ length: 4 * digits }, (_, k) => BigInt(k)), big = k => k < whole.length ? whole[k] : BigInt(k);
  const view = new Float64Array(1), words = new Uint32Array(view.buffer);
  /** Number of binary digits: that of the nearest double. */
  const length = m => {
    if (m === 0n) return 0;
    view[0] = Number(m);
    const exponent = (words[1] >>> 20) & 0x7ff;
    return exponent < 0x7ff ? exponent - 1022 : 1000 + length(m >> 1000n);
  };
  const rounded = (m, e) => {
    const more = length(m) - digits;
    return more > 0 ? new Real((m + (1n << big(more - 1))) >> big(more), e + more) : new Real(m, e);
  };
  const zero = new Real(0n, 0), one = new Real(1n, 0), nothing = new Real(0n, NaN);
  /** The double, exactly. */
  const of = x => {
    if (!Number.isFinite(x)) return nothing;
    if (Number.isInteger(x) && Math.abs(x) < 2 ** 53) return x === 0 ? zero : new Real(BigInt(x), 0);
    let e = Math.max(-1074, Math.floor(Math.log2(Math.abs(x))) - 53), m = x * 2 ** -Math.trunc(e / 2) * 2 ** -(e - Math.trunc(e / 2));
    while (!Number.isInteger(m)) { m *= 2; --e; }
    return new Real(BigInt(m), e);
  };
  const add = (a, b) => {
    if (a.m === 0n) return a.e === a.e ? b : a;
    if (b.m === 0n) return b.e === b.e ? a : b;
    const d = a.e - b.e;
    if (d > 2 * digits && d + length(a.m) > length(b.m) + 2 * digits) return a;
    if (-d > 2 * digits && length(b.m) - d > length(a.m) + 2 * digits) return b;
    return d >= 0 ? rounded((a.m << big(d)) + b.m, b.e) : rounded(a.m + (b.m << big(-d)), a.e);
  };
  const neg = a => new Real(-a.m, a.e);
  const sub = (a, b) => add(a, neg(b));
  const mul = (a, b) => rounded(a.m * b.m, a.e + b.e);
  const div = (a, b) => {
    if (b.m === 0n || b.e !== b.e || a.e !== a.e) return nothing;
    const more = Math.max(0, digits + 2 + length(b.m) - length(a.m));
    return rounded((a.m << big(more)) / b.m, a.e - b.e - more);
  };
  const by2 = (a, k) => new Real(a.m, a.e + k);
  const power = (a, n) => {
    let r = one, b = a;
    for (let k = Math.abs(n); k > 0; k = Math.floor(k / 2)) {
      if (k % 2) r = mul(r, b);
      if (k > 1) b = mul(b, b);
    }
    return n < 0 ? div(one, r) : r;
  };
  const sqrt = a => {
    if (!(a.m > 0n)) return a.m < 0n ? nothing : a;
    const even = 2 * Math.floor((a.e + length(a.m)) / 2), x = by2(a, -even);  // from 1/4 to 2
    let y = of(1 / Math.sqrt(x[0]));
    for (let k = 0; k < 5; ++k) y = add(y, by2(mul(y, sub(one, mul(x, mul(y, y)))), -1));
    const s = mul(x, y);
    return by2(add(s, by2(mul(y, sub(x, mul(s, s))), -1)), even / 2);
  };
  /** Σ ± 1/((2k + 1) n^(2k + 1)), of atan (sign −1) and atanh. */
  const inverse = (n, sign) => {
    let term = (1n << BigInt(digits + 40)) / BigInt(n), sum = 0n;
    for (let k = 0n, s = 1n; term !== 0n; ++k, term /= BigInt(n * n), s *= BigInt(sign)) sum += s * term / (2n * k + 1n);
    return sum;
  };
  const scaled = m => rounded(m, -digits - 40);
  const pi = scaled(16n * inverse(5, -1) - 4n * inverse(239, -1));  // Machin
  const ln2 = scaled(18n * inverse(26, 1) - 2n * inverse(4801, 1) + 8n * inverse(8749, 1));
  const exp = a => {
    const k = Math.round(a[0] / ln2[0]);
    if (a[0] < -1e6) return zero;
    if (!(a[0] < 1e6)) return nothing;
    const r = by2(sub(a, mul(ln2, of(k))), -24);
    let term = r, sum = r;  // of e^r − 1, which loses nothing when it is squared
    for (let n = 2; n < 80 && term.m !== 0n && length(term.m) + term.e > -digits - 40; ++n) sum = add(sum, term = div(mul(term, r), of(n)));
    for (let i = 0; i < 24; ++i) sum = add(by2(sum, 1), mul(sum, sum));
    return by2(add(sum, one), k);
  };
  /** Cosine and sine: of a small part of the angle, which is then doubled. */
  const turn = a => {
    const k = Math.round(a[0] / (Math.PI / 2));
    if (!Number.isSafeInteger(k)) return [nothing, nothing];
    const r = by2(sub(a, by2(mul(pi, of(k)), -1)), -12), square = neg(mul(r, r));
    let s = r, odd = r;
    for (let n = 1; n < 80 && odd.m !== 0n && length(odd.m) + odd.e > -digits - 60; ++n)
      s = add(s, odd = div(mul(odd, square), of(2 * n * (2 * n + 1))));
    let below = mul(s, div(s, add(one, sqrt(sub(one, mul(s, s))))));  // 1 − cos
    for (let i = 0; i < 12; ++i) [s, below] = [by2(mul(s, sub(one, below)), 1), by2(mul(s, s), 1)];
    const c = sub(one, below);
    switch (((k % 4) + 4) % 4) {
      case 0: return [c, s];
      case 1: return [neg(s), c];
      case 2: return [neg(c), neg(s)];
      default: return [s, neg(c)];
    }
  };
  const log = a => {  // Newton's method
    if (!(a.m > 0n)) return nothing;
    const k = a.e + length(a.m), b = by2(a, -k);
    let x = of(Math.log(b[0]));
    for (let i = 0; i < 5; ++i) x = add(x, sub(mul(b, exp(neg(x))), one));
    return add(x, mul(ln2, of(k)));
  };
  /** What is written, exactly as far as the digits go: "1/3", "-2.5e-3", or a double, which stands for its decimal: 0.1 is 1/10. */
  const ofText = x => {
    const [above, below] = String(x).split('/');
    if (below !== undefined) return div(ofText(above), ofText(below));
    const m = /^(-?)(\d+)(?:\.(\d+))?(?:e([-+]?\d+))?$/.exec(above);
    if (!m) return nothing;
    const ten = Number(m[4] || 0) - (m[3] || '').length, digits10 = rounded(BigInt(m[1] + m[2] + (m[3] || '')), 0);
    const by = 10n ** BigInt(Math.min(Math.abs(ten), 2000));
    return ten < 0 ? div(digits10, rounded(by, 0)) : mul(digits10, rounded(by, 0));
  };
  return { digits, zero, one, nothing, of, add, sub, mul, div, neg, by2, power, sqrt, exp, log, turn, pi, ofText };
})();

class Complex {
  constructor(re, im) { this.re = re; this.im = im; }
  get 0() { return this.re[0]; }
  get 2() { return this.im[0]; }
}
const complex = (() => {
  const of = (a, b = real.zero) => new Complex(a, b), numbers = (x, y) => of(real.of(x), real.of(y));
  const add = (a, b) => of(real.add(a.re, b.re), real.add(a.im, b.im));
  const neg = a => of(real.neg(a.re), real.neg(a.im));
  const sub = (a, b) => of(real.sub(a.re, b.re), real.sub(a.im, b.im));
  const mul = (a, b) => a.im.m === 0n && b.im.m === 0n ? of(real.mul(a.re, b.re))
    : of(real.sub(real.mul(a.re, b.re), real.mul(a.im, b.im)), real.add(real.mul(a.re, b.im), real.mul(a.im, b.re)));
  const conj = a => of(a.re, real.neg(a.im));
  const scale = (a, x) => of(real.mul(a.re, x), real.mul(a.im, x));
  const by2 = (a, k) => of(real.by2(a.re, k), real.by2(a.im, k));
  const div = (a, b) => {
    if (b.im.m === 0n) return of(real.div(a.re, b.re), real.div(a.im, b.re));
    const inverse = real.div(real.one, real.add(real.mul(b.re, b.re), real.mul(b.im, b.im)));
    return scale(mul(a, conj(b)), inverse);
  };
  const abs = a => Math.hypot(a[0], a[2]);
  const exp = a => {
    const size = real.exp(a.re);
    if (a.im.m === 0n) return of(size);
    const [c, s] = real.turn(a.im);
    return of(real.mul(size, c), real.mul(size, s));
  };
  const zero = of(real.zero), one = of(real.one);
  return { of, numbers, add, sub, mul, div, neg, conj, scale, by2, abs, exp, zero, one };
})();

// What runs the programs of the compiled model: places for values, and the operations that a program names.

/** Real values of 270 digits. */
function realMachine(program) {
  const v = new Array(program.size).fill(real.zero);
  for (const [place, value] of program.numbers) v[place] = typeof value === 'number' ? real.of(value) : real.ofText(value);
  const one = g => x => real.of(g(x[0])), half = x => real.by2(x, -1);
  const functions = {
    sqrt: real.sqrt, exp: real.exp, log: real.log, cos: x => real.turn(x)[0], sin: x => real.turn(x)[1],
    tan: x => { const [c, s] = real.turn(x); return real.div(s, c); },
    sinh: x => { const e = real.exp(x); return half(real.sub(e, real.div(real.one, e))); },
    cosh: x => { const e = real.exp(x); return half(real.add(e, real.div(real.one, e))); },
    asin: one(Math.asin), acos: one(Math.acos), atan: one(Math.atan), tanh: one(Math.tanh),
    atan2: (y, x) => real.of(Math.atan2(y[0], x[0])), power: (x, y) => x[0] > 0 ? real.exp(real.mul(y, real.log(x))) : real.of(x[0] ** y[0]),
    abs: x => x[0] < 0 ? real.neg(x) : x, sign: x => real.of(Math.sign(x[0])), step: x => x[0] < 0 ? real.zero : real.one,
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
  for (const [place, value] of program.numbers) v[place] = [typeof value === 'number' ? value : real.ofText(value)[0], 0];
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
