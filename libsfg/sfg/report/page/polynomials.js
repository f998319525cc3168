'use strict';
// Polynomials with coefficients of 270 digits, lowest power first. Common factors by Euclid's algorithm, which follows how its
// rounding grows: what is left counts as 0 where it is nothing else. Roots of what has simple ones by Aberth's simultaneous
// iteration (Math. Comp. 27, 1973) from Bini's starting points (Numer. Algorithms 13, 1996), in doubles and then in 270 digits.
const polynomials = (() => {
  const rounding = 2 ** (60 - real.digits);  // of given coefficients, relative: their programs are long, and something cancels in them
  const certain = 2 ** -200;                 // rounding beyond which nothing is said of what vanishes
  const size = z => Math.hypot(z[0], z[2]), isZero = x => x.m === 0n && x.e === x.e;

  const degree = p => { let n = p.length - 1; while (n >= 0 && isZero(p[n])) --n; return n; };
  const trimmed = p => p.slice(0, degree(p) + 1);
  const add = (a, b) => Array.from({ length: Math.max(a.length, b.length) }, (_, k) => real.add(a[k] || real.zero, b[k] || real.zero));
  const mul = (a, b) => {
    const r = Array.from({ length: Math.max(0, a.length + b.length - 1) }, () => real.zero);
    a.forEach((x, i) => { if (!isZero(x)) b.forEach((y, j) => { r[i + j] = real.add(r[i + j], real.mul(x, y)); }); });
    return r;
  };
  const derivative = p => p.slice(1).map((x, k) => real.mul(x, real.of(k + 1)));
  /** Without what is only rounding of sums that vanish. */
  const cleaned = (p, sizes) => p.map((x, k) => Math.abs(x[0]) <= rounding * sizes[k] ? real.zero : x);

  /** Of complex coefficients, at a complex point. */
  const at = (p, z) => {
    let r = complex.zero;
    for (let k = p.length - 1; k >= 0; --k) r = complex.add(complex.mul(r, z), p[k]);
    return r;
  };
  const ofReal = p => p.map(x => complex.of(x));

  /** Coefficients of p(c + y) up to y^most. */
  const shifted = (p, c, most = p.length - 1) => {
    const q = p.slice(), n = q.length - 1;
    for (let i = 0; i <= Math.min(n, most); ++i)
      for (let k = n - 1; k >= i; --k) q[k] = complex.add(q[k], complex.mul(c, q[k + 1]));
    return q.slice(0, Math.min(n, most) + 1);
  };

  const greatest = p => Math.max(0, ...p.map(x => Math.abs(x[0])));
  /** Times a power of two, so that the greatest coefficient is about 1. */
  const normal = p => { const e = Math.ceil(Math.log2(greatest(p))); return Number.isFinite(e) ? p.map(x => real.by2(x, -e)) : p; };
  /** {quotient, rest, scale}: what was added up for the rest was at most so large. */
  const divided = (p, q) => {
    const rest = p.slice(), n = q.length - 1, quotient = [], sizes = q.map(x => Math.abs(x[0]));
    let scale = greatest(p);
    for (let k = p.length - 1 - n; k >= 0; --k) {
      const f = quotient[k] = real.div(rest[n + k], q[n]);
      for (let i = 0; i < n; ++i) rest[i + k] = real.sub(rest[i + k], real.mul(f, q[i]));
      scale = Math.max(scale, Math.abs(f[0]) * Math.max(...sizes));
    }
    return { quotient, rest: rest.slice(0, n), scale };
  };
  /** The greatest common factor of two that are about 1 in size; [1] where there is none, or it is not certain. */
  const common = (p, q) => {
    let [a, b] = p.length < q.length ? [q, p] : [p, q], noise = rounding;
    a = normal(a); b = normal(b);
    while (b.length > 1) {
      const { rest, scale } = divided(a, b), level = noise * scale * 2 ** 20;
      let n = rest.length;
      while (n > 0 && !(Math.abs(rest[n - 1][0]) > level)) --n;
      if (n === 0) return noise < certain ? b : [real.one];
      const r = rest.slice(0, n);
      noise *= scale / greatest(r);
      if (!(noise < certain)) return [real.one];
      a = b; b = normal(r);
    }
    return [real.one];
  };
  /** p/q; null where that leaves a rest. */
  const quotient = (p, q) => {
    const { quotient: found, rest, scale } = divided(p, q);
    return greatest(rest) <= certain * scale ? found : null;
  };

  /** Moduli of starting points from the upper hull of log|p_k| over k. */
  const starts = moduli => {
    const logs = moduli.map(x => x > 0 ? Math.log(x) : -Infinity), hull = [];
    logs.forEach((y, k) => {
      if (y === -Infinity) return;
      while (hull.length > 1) {
        const [a, b] = hull.slice(-2);
        if ((logs[b] - logs[a]) * (k - a) <= (y - logs[a]) * (b - a)) hull.pop(); else break;
      }
      hull.push(k);
    });
    const points = [];
    for (let i = 1; i < hull.length; ++i) {
      const a = hull[i - 1], b = hull[i], r = Math.exp((logs[a] - logs[b]) / (b - a));
      for (let k = 0; k < b - a; ++k) { const t = 2 * Math.PI * k / (b - a) + 2 * Math.PI * i / (moduli.length) + 0.7; points.push([r * Math.cos(t), r * Math.sin(t)]); }
    }
    return points;
  };

  /** In doubles; p_0 and the last coefficient are not 0. */
  const rough = p => {
    const n = p.length - 1, z = starts(p.map(Math.abs)), done = z.map(() => false);
    for (let round = 0; round < 80 && done.includes(false); ++round)
      for (let i = 0; i < n; ++i) {
        if (done[i]) continue;
        const [x, y] = z[i], inverse = Math.hypot(x, y) > 1;
        const m = x * x + y * y, u = inverse ? x / m : x, w = inverse ? -y / m : y;
        let vr = 0, vi = 0, dr = 0, di = 0;
        for (let k = 0; k <= n; ++k) {  // p and p′ by Horner's rule, backwards where |z| > 1
          [dr, di] = [dr * u - di * w + vr, dr * w + di * u + vi];
          [vr, vi] = [vr * u - vi * w + (inverse ? p[k] : p[n - k]), vr * w + vi * u];
        }
        if (vr === 0 && vi === 0) { done[i] = true; continue; }
        const v2 = vr * vr + vi * vi;
        let lr = (dr * vr + di * vi) / v2, li = (di * vr - dr * vi) / v2;  // p′/p
        if (inverse) { const a = n - (lr * u - li * w), b = -(lr * w + li * u); lr = a * u - b * w; li = a * w + b * u; }
        for (let j = 0; j < n; ++j) {
          if (j === i) continue;
          const a = x - z[j][0], b = y - z[j][1], q = a * a + b * b;
          if (q > 0) { lr -= a / q; li += b / q; }
        }
        const q = lr * lr + li * li;
        if (!(q > 0) || !Number.isFinite(q)) { done[i] = true; continue; }
        z[i] = [x - lr / q, y + li / q];
        if (1 / Math.sqrt(q) < 4e-16 * Math.hypot(x, y)) done[i] = true;
      }
    return z;
  };

  /** Aberth's iteration in 270 digits, until the values are rounding or nothing moves. */
  const polished = (p, points) => {
    const z = points.slice(), d = derivative(p), done = z.map(() => false), sizes = p.map(x => Math.abs(x[0]));
    const value = (q, w) => { let r = complex.zero; for (let k = q.length - 1; k >= 0; --k) { r = complex.mul(r, w); r = complex.of(real.add(r.re, q[k]), r.im); } return r; };
    for (let round = 0; round < 60 && done.includes(false); ++round)
      for (let i = 0; i < z.length; ++i) {
        if (done[i]) continue;
        const v = value(p, z[i]), far = size(z[i]);
        if (size(v) <= 2 ** (6 - real.digits) * sizes.reduceRight((sum, x) => sum * far + x, 0)) { done[i] = true; continue; }
        let l = complex.div(value(d, z[i]), v);
        for (let j = 0; j < z.length; ++j) {
          const apart = complex.sub(z[i], z[j]);
          if (j !== i && size(apart) > 0) l = complex.sub(l, complex.div(complex.one, apart));
        }
        if (!(size(l) > 0) || !Number.isFinite(size(l))) { done[i] = true; continue; }
        const step = complex.div(complex.one, l);
        z[i] = complex.sub(z[i], step);
        if (size(step) < 2 ** (8 - real.digits) * size(z[i])) done[i] = true;
      }
    return z;
  };

  /** Simple roots of a real polynomial: real ones and pairs of conjugates. */
  const simple = p => {
    const found = polished(p, rough(p.map(x => x[0])).map(([x, y]) => complex.numbers(x, y))), tiny = 2 ** -300, all = [];
    for (const z of found) {
      const far = size(z);
      if (Math.abs(z[2]) <= tiny * far) all.push(complex.of(z.re));
      else if (z[2] > 0) { const w = Math.abs(z[0]) <= tiny * far ? complex.of(real.zero, z.im) : z; all.push(w, complex.conj(w)); }
    }
    // where they did not converge: real as far as one can see
    return all.length === found.length ? all : found.map(z => Math.abs(z[2]) <= 2 ** -80 * size(z) ? complex.of(z.re) : z);
  };

  /** [{z, multiplicity}] of one whose roots are about 1: with g = (p, p′) those of p/g are simple, and (p′/g)/(p/g)′ is how often
   * each of them is one of p. */
  const distinct = p => {
    const once = () => simple(p).map(z => ({ z, multiplicity: 1 })), slope = derivative(p), g = common(p, slope);
    if (g.length === 1) return once();
    const b = quotient(p, g), c = quotient(slope, g);
    if (!b || !c) return once();
    const below = ofReal(derivative(b)), above = ofReal(c);
    const found = simple(b).map(z => ({ z, multiplicity: Math.round(complex.div(at(above, z), at(below, z))[0]) }));
    return found.every(r => r.multiplicity > 0) && found.reduce((sum, r) => sum + r.multiplicity, 0) === p.length - 1 ? found : once();
  };

  /** x = 2^e y, so that the roots lie about 1, and coefficients about 1, too. */
  const scaling = q => {
    const k = q.length - 1, log = x => Math.log2(Math.abs(x[0])), e = k > 0 ? Math.round((log(q[0]) - log(q[k])) / k) : 0;
    return Number.isFinite(e) ? e : 0;
  };
  const scaled = (q, e) => normal(q.map((x, i) => real.by2(x, e * i)));

  /** Distinct roots of a real polynomial that is not 0, ascending modulus: [{z, multiplicity}]. */
  const roots = p => {
    const n = degree(p);
    let zeros = 0;
    while (zeros < n && isZero(p[zeros])) ++zeros;
    const found = zeros > 0 ? [{ z: complex.zero, multiplicity: zeros }] : [];
    const q = p.slice(zeros, n + 1);
    if (q.length < 2) return found;
    const e = scaling(q);
    for (const r of distinct(scaled(q, e))) found.push({ z: complex.by2(r.z, e), multiplicity: r.multiplicity });
    return found.sort((a, b) => size(a.z) - size(b.z));
  };

  /** {parts, factor}: several polynomials without their common factor, and that; factor [1] where there is none. */
  const lowest = all => {
    const none = { parts: all, factor: [real.one] };
    if (all.some(p => p.length < 2)) return none;
    let zeros = 0;
    while (all.every(p => p.length > zeros + 1 && isZero(p[zeros]))) ++zeros;
    const rest = all.map(p => p.slice(zeros)), power = p => [...Array(zeros).fill(real.zero), ...p];
    const last = rest[rest.length - 1], e = scaling(last[0].m === 0n ? last.slice(last.findIndex(x => !isZero(x))) : last);
    const factor = rest.map(p => scaled(p, e)).reduceRight((g, p) => g.length > 1 ? common(g, p) : g);
    const scaledBack = scaled(factor, -e), whole = scaledBack.map(x => real.div(x, scaledBack[scaledBack.length - 1])), parts = factor.length > 1 ? rest.map(p => quotient(p, whole)) : rest;
    if (parts.some(p => p === null)) return zeros > 0 ? { parts: rest, factor: power([real.one]) } : none;
    return zeros > 0 || factor.length > 1 ? { parts, factor: power(factor.length > 1 ? whole : [real.one]) } : none;
  };

  return { degree, trimmed, add, mul, derivative, cleaned, at, ofReal, shifted, roots, lowest, size, isZero };
})();
