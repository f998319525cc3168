'use strict';
// What is known of the transfer functions at the present values of the parameters.
const responses = (() => {
  if (typeof moving === 'undefined') return null;
  const { degree, trimmed, at, ofReal, shifted, size } = polynomials;
  const discrete = moving.period !== null, h = moving.period;
  const machine = moving.coefficients ? realMachine(moving.coefficients) : null;
  const values = moving.values ? complexMachine(moving.values) : null;
  const finite = p => p.every(x => Number.isFinite(x[0]));

  /** The transfer functions for parameters of 32 digits: [{parts: [{n, delay}], d}], null where one has no value. */
  const transfers = inputs => {
    if (!machine) return moving.transfers.map(() => ({ inputs: inputs.map(x => [x[0], 0]) }));
    const all = machine(inputs);
    let place = 0;
    const take = count => { const p = all.slice(place, place + count); place += count; return p; };
    return moving.shapes.map(shape => {
      const parts = shape.above.map(([count, delayed]) => ({ n: take(count), delay: delayed ? take(1)[0] : [0, 0] }));
      const d = take(shape.below), hidden = take(shape.hidden);
      if (!finite(d) || degree(d) < 0 || !parts.every(p => finite(p.n) && Number.isFinite(p.delay[0]) && p.delay[0] >= 0)) return null;
      return { parts: parts.map(p => ({ n: trimmed(p.n), delay: p.delay })).filter(p => p.n.length > 0), d: trimmed(d), hidden };
    });
  };

  const found = new Map();  // roots of equal polynomials
  const rootsOf = p => {
    const key = p.join();
    if (!found.has(key)) { if (found.size > 200) found.clear(); found.set(key, polynomials.roots(p)); }
    return found.get(key);
  };

  /** T(s) as [re, im]; null where it is infinite. */
  const value = (T, q, re, im) => {
    if (T === null) return null;
    if (values) { const v = values([[re, im], ...T.inputs])[q]; return v.every(Number.isFinite) ? v : null; }
    const s = complex.of(real.ofDecimal(re), real.ofDecimal(im));
    let sum = complex.zero;
    for (const { n, delay } of T.parts) {
      let v = at(ofReal(n), s);
      if (delay[0] !== 0) v = complex.mul(v, complex.exp(complex.neg(complex.scale(s, delay))));
      sum = complex.add(sum, v);
    }
    const v = complex.div(sum, at(ofReal(T.d), s));
    return Number.isFinite(v[0]) && Number.isFinite(v[2]) ? [v[0], v[2]] : null;
  };

  /** A copy in doubles, for curves. */
  const quickly = T => ({ parts: T.parts.map(p => ({ n: p.n.map(x => x[0]), delay: p.delay[0] })), d: T.d.map(x => x[0]) });
  const horner = (p, re, im) => {
    let a = 0, b = 0;
    for (let k = p.length - 1; k >= 0; --k) { const t = a * re - b * im + p[k]; b = a * im + b * re; a = t; }
    return [a, b];
  };
  const quick = (T, re, im) => {
    let a = 0, b = 0;
    for (const { n, delay } of T.parts) {
      const [x, y] = horner(n, re, im);
      if (delay === 0) { a += x; b += y; continue; }
      const m = Math.exp(-delay * re), c = m * Math.cos(delay * im), s = -m * Math.sin(delay * im);
      a += x * c - y * s; b += x * s + y * c;
    }
    const [c, d] = horner(T.d, re, im), m = c * c + d * d;
    return [(a * c + b * d) / m, (b * c - a * d) / m];
  };

  /** Poles: [{z, multiplicity}]; null where there are infinitely many. What cancels at these values alone is left out where
   * parameters follow others, which a fraction in lowest terms does not know. */
  const poles = T => {
    if (T === null || !T.d) return null;
    if (T.parts.length === 0) return [];
    const all = rootsOf(T.d);
    if (T.parts.length > 1 || !moving.parameters.some(p => p.follows)) return all;
    const zeros = rootsOf(T.parts[0].n).map(r => ({ ...r }));
    return all.map(r => {
      const same = zeros.find(z => z.multiplicity > 0 && size(complex.sub(z.z, r.z)) <= 1e-20 * size(r.z));
      const left = same ? Math.max(0, r.multiplicity - same.multiplicity) : r.multiplicity;
      if (same) same.multiplicity -= r.multiplicity - left;
      return { z: r.z, multiplicity: left };
    }).filter(r => r.multiplicity > 0);
  };

  /** The step response of n/d in s: Σ c_j t^j/j! e^{pt}, [{z, terms: [c_0 …]}] over poles and 0, from Taylor's series of both sides
   * at each pole. */
  const fractions = (n, d) => {
    const below = [[0, 0], ...d], top = ofReal(n), bottom = ofReal(below), terms = [];
    for (const { z, multiplicity: m } of rootsOf(below)) {
      if (z[2] < 0) continue;  // its conjugate stands for both
      const a = shifted(top, z, m - 1).q, b = shifted(bottom, z, 2 * m - 1).q.slice(m), c = [];
      for (let j = 0; j < m; ++j) {
        let v = a[j] || complex.zero;
        for (let i = 0; i < j; ++i) v = complex.sub(v, complex.mul(c[i], b[j - i] || complex.zero));
        c.push(complex.div(v, b[0]));
      }
      terms.push({ z, terms: c.reverse(), twice: z[2] > 0 ? 2 : 1 });
    }
    return terms;
  };
  const cached = new Map();
  const partial = (n, d) => {
    const key = n.join() + '/' + d.join();
    if (!cached.has(key)) { if (cached.size > 200) cached.clear(); cached.set(key, fractions(n, d)); }
    return cached.get(key);
  };

  const exactly = (terms, t) => {
    let sum = [0, 0];
    const time = real.ofDecimal(t);
    for (const { z, terms: c, twice } of terms) {
      let poly = complex.zero;
      for (let j = c.length - 1; j >= 0; --j) poly = complex.add(complex.scale(poly, real.div(time, [j + 1, 0])), c[j]);
      const v = complex.mul(poly, complex.exp(complex.scale(z, time)));
      sum = real.add(sum, real.mul([twice, 0], complex.re(v)));
    }
    return sum[0];
  };
  /** In doubles; null where so much cancels that doubles do not do. */
  const roughly = (terms, t) => {
    let sum = 0, most = 0;
    for (const { z, terms: c, twice } of terms) {
      let a = 0, b = 0;
      for (let j = c.length - 1; j >= 0; --j) { const f = t / (j + 1); a = a * f + c[j][0]; b = b * f + c[j][2]; }
      const m = twice * Math.exp(z[0] * t), angle = z[2] * t, v = angle === 0 ? m * a : m * (a * Math.cos(angle) - b * Math.sin(angle));
      sum += v; most = Math.max(most, m * (Math.abs(a) + Math.abs(b)));
    }
    return most > 1e7 * Math.abs(sum) ? null : sum;
  };

  /** Samples of a discrete step response, 0 … k. */
  const samples = ({ parts, d }, k) => {
    const m = d.length - 1, n = parts.length ? parts[0].n : [], y = [];
    const b = i => n[m - i] || [0, 0], a = i => d[m - i];
    let forced = [0, 0];
    for (let i = 0; i <= k; ++i) {
      if (i <= m) forced = real.add(forced, b(i));
      let v = forced;
      for (let j = 1; j <= Math.min(i, m); ++j) v = real.sub(v, real.mul(a(j), y[i - j]));
      y.push(real.div(v, a(0)));
    }
    return y.map(x => x[0]);
  };

  const proper = T => T !== null && T.d && T.parts.every(p => p.n.length <= T.d.length);
  const sampleAt = t => Math.floor(t / h * (1 + 1e-12) + 1e-9);
  /** At one time; null where there is none: improper, or with dead time in a loop. */
  const step = (T, t) => {
    if (!proper(T) || !Number.isFinite(t)) return null;
    if (t < 0 || T.parts.length === 0) return 0;
    if (discrete) { const k = sampleAt(t); return k > 1e6 ? null : samples(T, k)[k]; }
    let sum = 0;
    for (const { n, delay } of T.parts) {
      const later = real.sub(real.ofDecimal(t), delay)[0];
      if (later >= 0) sum += exactly(partial(n, T.d), later);
    }
    return Number.isFinite(sum) ? sum : null;
  };
  /** At many times, for curves. */
  const steps = (T, times) => {
    if (!proper(T)) return null;
    if (T.parts.length === 0) return times.map(() => 0);
    if (discrete) { const y = samples(T, Math.min(1e5, sampleAt(Math.max(...times)))); return times.map(t => y[sampleAt(t)]); }
    const parts = T.parts.map(({ n, delay }) => ({ terms: partial(n, T.d), delay: delay[0] }));
    return times.map(t => parts.reduce((sum, { terms, delay }) => {
      if (t < delay) return sum;
      const y = roughly(terms, t - delay);
      return sum + (y === null ? exactly(terms, t - delay) : y);
    }, 0));
  };

  /** The phase of n(jω)/d(jω) in radians, followed from low frequencies; roots on the axis count as a little left of it. */
  const rootsOnAxis = p => {
    if (!discrete) return rootsOf(p);
    return rootsOf(image(p, p.length - 1));
  };
  /** Of p(z), z = (1 + x)/(1 − x), times (1 − x)^degree: a polynomial in x = jν, ν = tan(ωh/2). */
  const image = (p, n) => {
    let sum = [[0, 0]];
    for (let k = 0; k < p.length; ++k) {
      let term = [p[k]];
      for (let i = 0; i < k; ++i) term = polynomials.mul(term, [[1, 0], [1, 0]]);
      for (let i = k; i < n; ++i) term = polynomials.mul(term, [[1, 0], [-1, 0]]);
      sum = polynomials.add(sum, term);
    }
    const scale = Math.max(...p.map(x => Math.abs(x[0]))) * 2 ** n;
    return polynomials.cleaned(sum, sum.map(() => scale));
  };
  const onAxis = T => {  // both sides as polynomials on the imaginary axis
    const n = T.parts[0].n, d = T.d, k = Math.max(n.length, d.length) - 1;
    return discrete ? { n: trimmed(image(n, k)), d: trimmed(image(d, k)) } : { n, d };
  };
  const lowest = p => { const k = p.findIndex(x => x[0] !== 0); return [k, Math.sign(p[k][0])]; };
  const phase = T => {
    const { n, d } = onAxis(T), [a, sa] = lowest(n), [b, sb] = lowest(d), start = Math.PI / 2 * (a - b) + (sa * sb < 0 ? Math.PI : 0);
    const all = [...rootsOf(n).map(r => [r, 1]), ...rootsOf(d).map(r => [r, -1])].filter(([r]) => size(r.z) > 0 && r.z[2] >= 0);
    return w => {
      const v = discrete ? Math.tan(w * h / 2) : w;
      let sum = start;
      for (const [{ z, multiplicity }, sign] of all) {
        const re = z[0], im = z[2], m = sign * multiplicity;
        if (im === 0) sum += m * Math.atan2(v, Math.abs(re)) * (re < 0 ? 1 : -1);
        else if (re === 0) sum += m * (v > im ? Math.PI : v === im ? Math.PI / 2 : 0);
        else { const r = Math.hypot(re, im); sum += m * Math.atan2(-2 * re * v, (r - v) * (r + v)); }
      }
      return sum - w * T.parts[0].delay[0];
    };
  };

  /** Magnitude in decibels and phase in degrees at frequencies in rad/s, for curves. */
  const bode = (T, q, frequencies) => {
    if (T === null) return null;
    const point = w => discrete ? [Math.cos(w * h), Math.sin(w * h)] : [0, w];
    const rough = T.d ? quickly(T) : null;
    const value_at = w => { const [re, im] = point(w); return rough ? quick(rough, re, im) : value(T, q, re, im) || [Infinity, 0]; };
    const z = frequencies.map(value_at), magnitude = z.map(([a, b]) => 20 * Math.log10(Math.hypot(a, b)));
    if (rough && T.parts.length === 1) { const p = phase(T); return { magnitude, phase: frequencies.map(w => p(w) * 180 / Math.PI) }; }
    let turns = 0, last = null;
    return { magnitude, phase: z.map(([a, b]) => {
      const angle = Math.atan2(b, a) * 180 / Math.PI;
      if (!Number.isFinite(angle)) return NaN;
      if (last !== null) turns -= Math.round((angle - last) / 360);
      last = angle;
      return angle + 360 * turns;
    }), followed: true };
  };

  return { transfers, value, poles, step, steps, bode, phase, onAxis, rootsOf, proper, discrete, h };
})();
