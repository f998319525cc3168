'use strict';
// What is known of the transfer functions at the present values of the parameters.
const responses = (() => {
  if (typeof moving === 'undefined') return null;
  const { degree, trimmed, at, ofReal, shifted, lowest, size, isZero } = polynomials;
  const discrete = moving.period !== null, h = moving.period;
  const machine = moving.coefficients ? realMachine(moving.coefficients) : null;
  const values = moving.values ? complexMachine(moving.values) : null;
  const finite = p => p.every(x => Number.isFinite(x[0]));

  /** Polynomials of the same dead time are one; ascending delays, those that vanish left out. */
  const gathered = parts => {
    const found = [];
    for (const { n, delay } of parts) {
      const same = found.find(p => Math.abs(real.sub(p.delay, delay)[0]) <= 2 ** -300 * Math.abs(delay[0]));
      if (same) same.n = polynomials.add(same.n, n); else found.push({ n, delay });
    }
    return found.map(p => ({ n: trimmed(p.n), delay: p.delay })).filter(p => p.n.length > 0).sort((a, b) => a.delay[0] - b.delay[0]);
  };
  const later = (parts, by) => parts.map(p => ({ n: p.n, delay: real.sub(p.delay, by) }));

  /** In lowest terms at the present values; what cancels is hidden. */
  const reduced = ({ raw, ...T }) => {
    if (T.parts.length === 0) return T;
    const { parts, factor } = lowest([...T.parts.map(p => p.n), T.d]);
    if (factor.length < 2) return T;
    return { parts: T.parts.map((p, k) => ({ n: parts[k], delay: p.delay })), d: parts[parts.length - 1],
      hidden: T.hidden.length > 0 ? polynomials.mul(T.hidden, factor) : factor };
  };

  /** The transfer functions at parameters: [{parts: [{n, delay}], d}], with below: [{n, delay}] in place of d where a dead time is in
   * a loop; null where one has no value. Those that are raw are to be reduced before they are used. */
  const transfers = inputs => {
    if (!machine) return moving.transfers.map(() => ({ inputs: inputs.map(x => [x[0], 0]) }));
    const all = machine(inputs);
    let place = 0;
    const take = count => { const p = all.slice(place, place + count); place += count; return p; };
    const side = shape => shape.map(([count, delayed]) => ({ n: take(count), delay: delayed ? take(1)[0] : real.zero }));
    return moving.shapes.map(shape => {
      const above = side(shape.above), under = side(shape.below), hidden = take(shape.hidden);
      if (![...above, ...under].every(p => finite(p.n) && Number.isFinite(p.delay[0]))) return null;
      const below = gathered(under);
      if (below.length === 0) return null;
      const first = below[0].delay, parts = later(gathered(above), first);
      if (below.length > 1) return { parts, below: later(below, first) };
      return parts.every(p => p.delay[0] >= 0) ? { parts, d: below[0].n, hidden, raw: true } : null;
    });
  };

  const found = new Map();  // roots of equal polynomials
  const rootsOf = p => {
    const key = p.map(x => `${x.m}e${x.e}`).join();
    if (!found.has(key)) { if (found.size > 200) found.clear(); found.set(key, polynomials.roots(p)); }
    return found.get(key);
  };

  /** Σ n e^(−s delay) at s. */
  const sumAt = (parts, s) => {
    let sum = complex.zero;
    for (const { n, delay } of parts) {
      let v = at(ofReal(n), s);
      if (!isZero(delay)) v = complex.mul(v, complex.exp(complex.neg(complex.scale(s, delay))));
      sum = complex.add(sum, v);
    }
    return sum;
  };
  /** T(s) as [re, im]; null where it is infinite. */
  const value = (T, q, re, im) => {
    if (T === null) return null;
    if (values) { const v = values([[re, im], ...T.inputs])[q]; return v.every(Number.isFinite) ? v : null; }
    const s = complex.of(real.ofText(re), real.ofText(im));
    const v = complex.div(sumAt(T.parts, s), T.d ? at(ofReal(T.d), s) : sumAt(T.below, s));
    return Number.isFinite(v[0]) && Number.isFinite(v[2]) ? [v[0], v[2]] : null;
  };

  /** A copy in doubles, for curves. */
  const quickly = T => {
    const side = parts => parts.map(p => ({ n: p.n.map(x => x[0]), delay: p.delay[0] }));
    return { above: side(T.parts), below: side(T.below || [{ n: T.d, delay: real.zero }]) };
  };
  const horner = (p, re, im) => {
    let a = 0, b = 0;
    for (let k = p.length - 1; k >= 0; --k) { const t = a * re - b * im + p[k]; b = a * im + b * re; a = t; }
    return [a, b];
  };
  const quickSum = (parts, re, im) => {
    let a = 0, b = 0;
    for (const { n, delay } of parts) {
      const [x, y] = horner(n, re, im);
      if (delay === 0) { a += x; b += y; continue; }
      const m = Math.exp(-delay * re), c = m * Math.cos(delay * im), s = -m * Math.sin(delay * im);
      a += x * c - y * s; b += x * s + y * c;
    }
    return [a, b];
  };
  const quick = (T, re, im) => {
    const [a, b] = quickSum(T.above, re, im), [c, d] = quickSum(T.below, re, im), m = c * c + d * d;
    return [(a * c + b * d) / m, (b * c - a * d) / m];
  };

  /** Poles: [{z, multiplicity}]; null where there are infinitely many. */
  const poles = T => T === null || !T.d ? null : T.parts.length === 0 ? [] : rootsOf(T.d);

  /** The inverse transform of n/below: Σ c_j t^j/j! e^{pt}, [{z, terms: [c_0 …]}] over the roots of below, from Taylor's series of
   * both sides at each. `error`: how far the sum at 0 is from what the highest coefficients say. */
  const fractions = (n, below) => {
    const top = ofReal(n), bottom = ofReal(below), terms = [];
    let start = n.length === below.length - 1 ? real.div(n[n.length - 1], below[below.length - 1]) : real.zero;
    const scale = Math.abs(start[0]);
    for (const { z, multiplicity: m } of rootsOf(below)) {
      if (z[2] < 0) continue;  // its conjugate stands for both
      const a = shifted(top, z, m - 1), b = shifted(bottom, z, 2 * m - 1).slice(m), c = [];
      for (let j = 0; j < m; ++j) {
        let v = a[j] || complex.zero;
        for (let i = 0; i < j; ++i) v = complex.sub(v, complex.mul(c[i], b[j - i] || complex.zero));
        c.push(complex.div(v, b[0]));
      }
      c.reverse();
      const twice = z[2] > 0 ? 2 : 1;
      start = real.sub(start, real.mul(real.of(twice), c[0].re));
      terms.push({ z, terms: c, twice, rough: c.map(x => [x[0], x[2]]) });
    }
    return { terms, error: Math.abs(start[0]), scale };
  };
  const cached = new Map();
  /** Of a step, or of an impulse: n over d times x, or over d. */
  const partial = (n, d, stepped) => {
    const key = [stepped, ...[...n, real.nothing, ...d].map(x => `${x.m}e${x.e}`)].join();
    if (!cached.has(key)) { if (cached.size > 200) cached.clear(); cached.set(key, fractions(n, stepped ? [real.zero, ...d] : d)); }
    return cached.get(key);
  };

  const polynomialAt = (c, time) => {
    let poly = complex.zero;
    for (let j = c.length - 1; j >= 0; --j) poly = complex.add(complex.scale(poly, real.div(time, real.of(j + 1))), c[j]);
    return poly;
  };
  const summed = (terms, time, exponentials) => {
    let sum = real.zero;
    terms.forEach(({ terms: c, twice }, k) => {
      sum = real.add(sum, real.mul(real.of(twice), complex.mul(polynomialAt(c, time), exponentials[k]).re));
    });
    return sum[0];
  };
  /** At one time, of 270 digits; null where the partial fractions have lost them. */
  const exactly = ({ terms, error, scale }, time) => {
    const y = summed(terms, time, terms.map(({ z }) => complex.exp(complex.scale(z, time))));
    return error <= 1e-9 * Math.max(Math.abs(y), scale, 1e-12) ? y : null;
  };
  /** In doubles: [value, the greatest that is added up]. */
  const roughly = (terms, t) => {
    let sum = 0, most = 0;
    for (const { z, rough: c, twice } of terms) {
      let a = 0, b = 0, size = 0;
      for (let j = c.length - 1; j >= 0; --j) { const f = t / (j + 1); a = a * f + c[j][0]; b = b * f + c[j][1]; size = size * f + Math.abs(c[j][0]) + Math.abs(c[j][1]); }
      const m = twice * Math.exp(z[0] * t), angle = z[2] * t, v = angle === 0 ? m * a : m * (a * Math.cos(angle) - b * Math.sin(angle));
      sum += v; most = Math.max(most, m * size);
    }
    return [sum, most];
  };
  /** At ascending times, for a curve: in doubles where that is as good as a line is thick, else in 270 digits; the exponentials of
   * even times follow from one another. */
  const many = (response, times) => {
    const { terms } = response, first = times.map(t => t < 0 ? [0, 0] : roughly(terms, t)), sure = ([y, most]) => most <= 1e7 * Math.abs(y);
    const range = Math.max(0, ...first.filter(sure).map(([y]) => Math.abs(y)));
    let held = null, last = null;
    return times.map((t, k) => {
      if (t < 0) return 0;
      if (sure(first[k]) || first[k][1] <= 1e7 * range) return first[k][0];
      const apart = last === null ? 0 : t - last.t;
      if (held === null || !(Math.abs(apart - held.apart) <= 1e-9 * held.apart)) {
        if (last !== null && held === null) held = { apart, by: terms.map(({ z }) => complex.exp(complex.scale(z, real.of(apart)))) };
        last = { t, time: real.of(t), at: terms.map(({ z }) => complex.exp(complex.scale(z, real.of(t)))) };
      } else {  // at the sum of equal steps, to the last digit: t is that rounded
        last = { t, time: real.add(last.time, real.of(held.apart)), at: last.at.map((x, i) => complex.mul(x, held.by[i])) };
      }
      const y = summed(terms, last.time, last.at);
      return response.error <= 1e-9 * Math.max(Math.abs(y), response.scale, range, 1e-12) ? y : NaN;
    });
  };

  /** Samples 0 … k of a discrete response to a step, or to an impulse. */
  const samples = ({ parts, d }, k, stepped) => {
    const m = d.length - 1, n = parts.length ? parts[0].n : [], y = [];
    const b = i => n[m - i] || real.zero, a = i => d[m - i];
    let forced = real.zero;
    for (let i = 0; i <= k; ++i) {
      if (!stepped) forced = i <= m ? b(i) : real.zero; else if (i <= m) forced = real.add(forced, b(i));
      let v = forced;
      for (let j = 1; j <= Math.min(i, m); ++j) v = real.sub(v, real.mul(a(j), y[i - j]));
      y.push(real.div(v, a(0)));
    }
    return y.map(x => x[0]);
  };

  const proper = (T, stepped = true) => T !== null && T.d && T.parts.every(p => discrete || stepped ? p.n.length <= T.d.length : p.n.length < T.d.length);
  const sampleAt = t => Math.floor(t / h * (1 + 1e-12) + 1e-9);
  /** At one time; null where there is none: improper, or with dead time in a loop. */
  const response = (T, t, stepped) => {
    if (!proper(T, stepped) || !Number.isFinite(t)) return null;
    if (t < 0 || T.parts.length === 0) return 0;
    if (discrete) { const k = sampleAt(t); return k > 1e6 ? null : samples(T, k, stepped)[k]; }
    let sum = 0;
    for (const { n, delay } of T.parts) {
      const time = real.sub(real.ofText(t), delay);
      if (time[0] < 0) continue;
      const y = exactly(partial(n, T.d, stepped), time);
      if (y === null) return null;
      sum += y;
    }
    return Number.isFinite(sum) ? sum : null;
  };
  const step = (T, t) => response(T, t, true), impulse = (T, t) => response(T, t, false);
  /** At many times, for curves. */
  const steps = (T, times) => {
    if (!proper(T)) return null;
    if (T.parts.length === 0) return times.map(() => 0);
    if (discrete) { const y = samples(T, Math.min(1e5, sampleAt(Math.max(...times))), true); return times.map(t => y[sampleAt(t)]); }
    const parts = T.parts.map(({ n, delay }) => many(partial(n, T.d, true), times.map(t => t - delay[0])));
    return times.map((_, k) => parts.reduce((sum, y) => sum + y[k], 0));
  };

  /** The phase of n(jω)/d(jω) in radians, followed from low frequencies; roots on the axis count as a little left of it. */
  const rootsOnAxis = p => {
    if (!discrete) return rootsOf(p);
    return rootsOf(image(p, p.length - 1));
  };
  /** Of p(z), z = (1 + x)/(1 − x), times (1 − x)^degree: a polynomial in x = jν, ν = tan(ωh/2). */
  const image = (p, n) => {
    let sum = [real.zero];
    for (let k = 0; k < p.length; ++k) {
      let term = [p[k]];
      for (let i = 0; i < k; ++i) term = polynomials.mul(term, [real.one, real.one]);
      for (let i = k; i < n; ++i) term = polynomials.mul(term, [real.one, real.of(-1)]);
      sum = polynomials.add(sum, term);
    }
    const scale = Math.max(...p.map(x => Math.abs(x[0]))) * 2 ** n;
    return polynomials.cleaned(sum, sum.map(() => scale));
  };
  const onAxis = T => {  // both sides as polynomials on the imaginary axis
    const n = T.parts[0].n, d = T.d, k = Math.max(n.length, d.length) - 1;
    return discrete ? { n: trimmed(image(n, k)), d: trimmed(image(d, k)) } : { n, d };
  };
  const least = p => { const k = p.findIndex(x => !isZero(x)); return [k, Math.sign(p[k][0])]; };
  const phase = T => {
    const { n, d } = onAxis(T), [a, sa] = least(n), [b, sb] = least(d), start = Math.PI / 2 * (a - b) + (sa * sb < 0 ? Math.PI : 0);
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
    const rough = T.parts ? quickly(T) : null;
    const value_at = w => { const [re, im] = point(w); return rough ? quick(rough, re, im) : value(T, q, re, im) || [Infinity, 0]; };
    const z = frequencies.map(value_at), magnitude = z.map(([a, b]) => 20 * Math.log10(Math.hypot(a, b)));
    if (T.d && T.parts.length === 1) { const p = phase(T); return { magnitude, phase: frequencies.map(w => p(w) * 270 / Math.PI) }; }
    let turns = 0, last = null;
    return { magnitude, phase: z.map(([a, b]) => {
      const angle = Math.atan2(b, a) * 270 / Math.PI;
      if (!Number.isFinite(angle)) return NaN;
      if (last !== null) turns -= Math.round((angle - last) / 360);
      last = angle;
      return angle + 360 * turns;
    }), followed: true };
  };

  return { transfers, reduced, value, poles, step, impulse, steps, bode, quick, quickly, phase, onAxis, rootsOf, proper, discrete, h };
})();
