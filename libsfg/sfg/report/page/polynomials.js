'use strict';
// Polynomials with coefficients of 32 digits, lowest power first, and their roots: Aberth's simultaneous iteration (Math. Comp. 27,
// 1973) from Bini's starting points (Numer. Algorithms 13, 1996), in doubles and then in 32 digits. Where roots lie close together
// the polynomial is shifted there; what is nothing but rounding among its lowest coefficients tells how many fall together.
const polynomials = (() => {
  const rounding = 2 ** -98;  // of a coefficient and of a shift, relative to what is added up
  const near = 1e-4;          // relative distance of roots that are looked at together
  const size = z => Math.hypot(z[0], z[2]);

  const degree = p => { let n = p.length - 1; while (n >= 0 && p[n][0] === 0) --n; return n; };
  const trimmed = p => p.slice(0, degree(p) + 1);
  const add = (a, b) => Array.from({ length: Math.max(a.length, b.length) }, (_, k) => real.add(a[k] || [0, 0], b[k] || [0, 0]));
  const sub = (a, b) => add(a, b.map(real.neg));
  const mul = (a, b) => {
    const r = Array.from({ length: Math.max(0, a.length + b.length - 1) }, () => [0, 0]);
    a.forEach((x, i) => { if (x[0] !== 0) b.forEach((y, j) => { r[i + j] = real.add(r[i + j], real.mul(x, y)); }); });
    return r;
  };
  const derivative = p => p.slice(1).map((x, k) => real.mul(x, [k + 1, 0]));
  /** Without what is only rounding of sums that vanish. */
  const cleaned = (p, sizes) => p.map((x, k) => Math.abs(x[0]) <= 2 ** -90 * sizes[k] ? [0, 0] : x);

  /** Of complex coefficients, at a complex point. */
  const at = (p, z) => {
    let r = complex.zero;
    for (let k = p.length - 1; k >= 0; --k) r = complex.add(complex.mul(r, z), p[k]);
    return r;
  };
  const ofReal = p => p.map(x => complex.of(x));

  /** Coefficients of p(c + y) up to y^most, and how large the rounding among them may be. */
  const shifted = (p, c, most = p.length - 1) => {
    const q = p.slice(), n = q.length - 1, far = size(c), sums = p.map(size);
    for (let i = 0; i <= Math.min(n, most); ++i)
      for (let k = n - 1; k >= i; --k) {
        q[k] = complex.add(q[k], complex.mul(c, q[k + 1]));
        sums[k] += far * sums[k + 1];
      }
    return { q: q.slice(0, Math.min(n, most) + 1), noise: sums.map(x => x * rounding) };
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
    const n = p.length - 1, z = starts(p.map(size)), done = z.map(() => false);
    for (let round = 0; round < 80 && done.includes(false); ++round)
      for (let i = 0; i < n; ++i) {
        if (done[i]) continue;
        const [x, y] = z[i], inverse = Math.hypot(x, y) > 1;
        const m = x * x + y * y, u = inverse ? x / m : x, w = inverse ? -y / m : y;
        let vr = 0, vi = 0, dr = 0, di = 0;
        for (let k = 0; k <= n; ++k) {  // p and p′ by Horner's rule, backwards where |z| > 1
          const c = inverse ? p[k] : p[n - k];
          [dr, di] = [dr * u - di * w + vr, dr * w + di * u + vi];
          [vr, vi] = [vr * u - vi * w + c[0], vr * w + vi * u + c[2]];
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

  /** Aberth's iteration in 32 digits. */
  const polished = (p, points, rounds) => {
    const z = points.slice(), d = p.slice(1).map((x, k) => complex.scale(x, [k + 1, 0])), done = z.map(() => false);
    for (let round = 0; round < rounds && done.includes(false); ++round)
      for (let i = 0; i < z.length; ++i) {
        if (done[i]) continue;
        const v = at(p, z[i]);
        if (size(v) === 0) { done[i] = true; continue; }
        let l = complex.div(at(d, z[i]), v);
        for (let j = 0; j < z.length; ++j) {
          const far = complex.sub(z[i], z[j]);
          if (j !== i && size(far) > 0) l = complex.sub(l, complex.div(complex.one, far));
        }
        if (!(size(l) > 0) || !Number.isFinite(size(l))) { done[i] = true; continue; }
        const step = complex.div(complex.one, l);
        z[i] = complex.sub(z[i], step);
        if (size(step) < 1e-26 * size(z[i])) done[i] = true;
      }
    return z;
  };

  /** Groups of points that are close to one another, seen from `origin`. */
  const groups = (points, close) => {
    const found = [];
    for (const z of points) {
      const mine = found.filter(g => g.some(w => size(complex.sub(z, w)) <= close(z, w)));
      const all = [z].concat(...mine);
      for (const g of mine) found.splice(found.indexOf(g), 1);
      found.push(all);
    }
    return found;
  };

  /** The `count` roots of smallest modulus of complex p. @returns [{z, multiplicity}] */
  const smallest = (p, count, depth) => {
    let zeros = 0;
    while (zeros < count && size(p[zeros]) === 0) ++zeros;
    const found = zeros > 0 ? [{ z: complex.zero, multiplicity: zeros }] : [];
    const q = p.slice(zeros), rest = count - zeros;
    if (rest === 0) return found;
    let top = q.length - 1;
    while (top > rest && size(q[top]) === 0) --top;
    const local = q.slice(0, rest + 1), z = rough(local).map(([x, y]) => [x, 0, y, 0]);
    const fine = polished(q.slice(0, top + 1), z, depth === 0 ? 12 : 8);
    for (const group of groups(fine, (a, b) => near * Math.max(size(a), size(b)))) {
      if (group.length === 1 || depth > 8) { for (const z of group) found.push({ z, multiplicity: 1 }); continue; }
      found.push(...clustered(q, group, depth));
    }
    return found;
  };

  const clustered = (p, group, depth) => {
    const k = group.length;
    let c = group.reduce(complex.add, complex.zero);
    c = complex.scale(c, real.div([1, 0], [k, 0]));
    const half = near * size(c);
    if (Math.abs(c[2]) < half * 1e-3 && group.every(z => group.some(w => size(complex.sub(complex.conj(z), w)) < 1e-3 * half + 1e-9 * size(c)))) c = [c[0], c[1], 0, 0];
    for (let i = 0; i < 8; ++i) {  // where the (k−1)th derivative vanishes: the centre of k roots
      const { q } = shifted(p, c, k);
      if (size(q[k]) === 0) break;
      const step = complex.scale(complex.div(q[k - 1], q[k]), real.div([1, 0], [k, 0]));
      if (!(size(step) <= half)) break;
      c = complex.sub(c, step);
      if (size(step) < 1e-31 * size(c)) break;
    }
    const { q, noise } = shifted(p, c);
    let m = 0;
    while (m < k && size(q[m]) <= noise[m]) { q[m] = complex.zero; ++m; }
    if (m === k) return [{ z: c, multiplicity: k }];
    return smallest(q, k, depth + 1).map(r => ({ z: complex.add(c, r.z), multiplicity: r.multiplicity }));
  };

  /** Real ones and pairs of conjugates, as those of real polynomials are. */
  const paired = roots => {
    const found = [];
    for (const r of roots) {
      const far = size(r.z);
      if (Math.abs(r.z[2]) <= 1e-22 * far) found.push({ z: [r.z[0], r.z[1], 0, 0], multiplicity: r.multiplicity });
      else if (r.z[2] > 0) {
        const z = Math.abs(r.z[0]) <= 1e-24 * far ? [0, 0, r.z[2], r.z[3]] : r.z;
        found.push({ z, multiplicity: r.multiplicity }, { z: complex.conj(z), multiplicity: r.multiplicity });
      }
    }
    return found;
  };

  /** Distinct roots of a real polynomial that is not 0, ascending modulus: [{z, multiplicity}]. */
  const roots = p => {
    const n = degree(p);
    let zeros = 0;
    while (zeros < n && p[zeros][0] === 0) ++zeros;
    const found = zeros > 0 ? [{ z: complex.zero, multiplicity: zeros }] : [];
    const q = p.slice(zeros, n + 1), k = q.length - 1;
    if (k === 0) return found;
    // x = 2^e y, so that the roots lie about 1; coefficients about 1, too
    const e = Math.round((Math.log2(Math.abs(q[0][0])) - Math.log2(Math.abs(q[k][0]))) / k);
    const logs = q.map((x, i) => x[0] === 0 ? -Infinity : Math.log2(Math.abs(x[0])) + e * i), top = Math.floor(Math.max(...logs));
    const scaled = q.map((x, i) => { const by = e * i - top, half = Math.trunc(by / 2); return [x[0] * 2 ** half * 2 ** (by - half), x[1] * 2 ** half * 2 ** (by - half)]; });
    const unit = 2 ** e;
    for (const r of paired(smallest(ofReal(scaled), k, 0))) found.push({ z: complex.by2(r.z, unit), multiplicity: r.multiplicity });
    return found.sort((a, b) => size(a.z) - size(b.z));
  };

  return { degree, trimmed, add, sub, mul, derivative, cleaned, at, ofReal, shifted, roots, size };
})();
