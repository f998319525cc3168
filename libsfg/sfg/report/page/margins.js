'use strict';
// Stability margins of a transfer function taken for an open loop L = N/D under negative unity feedback, as `sfg margins` states
// them. On the axis N = Ne + jω No with polynomials in x = ω²; each kind of crossing is the positive roots of one polynomial in x.
const margins = (() => {
  if (!responses) return () => null;
  const { mul, add, derivative, degree, trimmed, cleaned, size } = polynomials;
  const { rootsOf, onAxis, value, phase, quick, quickly, discrete, h } = responses;
  const degrees = 180 / Math.PI;

  const half = (p, odd) => p.filter((_, k) => k % 2 === odd).map((x, k) => k % 2 ? real.neg(x) : x);
  const moduli = p => p.map(x => x.m < 0n ? real.neg(x) : x);
  const raised = p => [real.zero, ...p];
  /** Σ ± a·b without what is only rounding. */
  const sum = terms => {
    let total = [real.zero], sizes = [real.zero];
    for (const [sign, a, b] of terms) {
      const product = mul(a, b);
      total = add(total, sign < 0 ? product.map(real.neg) : product);
      sizes = add(sizes, mul(moduli(a), moduli(b)));
    }
    return trimmed(cleaned(total, sizes.map(x => x[0])));
  };
  const squared = p => sum([[1, half(p, 0), half(p, 0)], [1, raised(half(p, 1)), half(p, 1)]]);
  const positive = p => p.length < 2 ? [] : rootsOf(p).filter(r => r.z[2] === 0 && r.z[0] > 0).map(r => ({ x: r.z[0], multiplicity: r.multiplicity }));
  const real_at = (p, x) => p.reduceRight((v, c) => real.add(real.mul(v, real.of(x)), c), real.zero)[0];
  const sizes_at = (p, x) => p.reduceRight((v, c) => v * x + Math.abs(c[0]), 0);
  const vanishes = (p, x) => Math.abs(real_at(p, x)) <= 1e-14 * sizes_at(p, x);

  const counts = p => {
    let outside = 0, on = 0;
    if (degree(p) > 0) for (const { z, multiplicity } of rootsOf(trimmed(p))) {
      const far = discrete ? Math.hypot(z[0], z[2]) - 1 : z[0];
      if (Math.abs(far) <= 1e-13 * (discrete ? 1 : size(z))) on += multiplicity; else if (far > 0) outside += multiplicity;
    }
    return { outside, on };
  };
  const verdict = c => c.outside > 0 ? 'unstable' : c.on > 0 ? 'on the edge' : 'stable';

  /** Poles that pass to the right while a dead time grows from 0 (Walton and Marshall, IEE Proc. D 134, 1987). */
  const crossed = (crossings, difference, tau, at) => {
    let count = 0;
    for (const { w, multiplicity } of crossings) {
      if (multiplicity % 2 === 0) continue;
      const x = w * w, falling = real_at(difference, x * (1 + 1e-9)) < 0;  // |R| − 1 after the crossing
      let first = Math.atan2(-at(w)[1], -at(w)[0]);
      if (first < 0) first += 2 * Math.PI;
      const turns = (w * tau - first) / (2 * Math.PI);
      if (turns >= 0) count += (falling ? 2 : -2) * (Math.floor(turns) + 1);
    }
    return count;
  };

  const closed = (T, n, d, tau, crossings, difference) => {
    const both = add(n, d);
    let result;
    if (tau > 0) {
      if (n.length > d.length) return 'unstable';
      let near;  // the least radius of each skew
    const last = n.length === d.length ? Math.abs(n[n.length - 1][0] / d[d.length - 1][0]) : 0;
      if (last >= 1) return last > 1 ? 'unstable' : 'unknown';
      if (both[0][0] === 0) return 'unknown';
      const at = w => { const s = complex.numbers(0, w), v = complex.div(polynomials.at(polynomials.ofReal(n), s), polynomials.at(polynomials.ofReal(d), s)); return [v[0], v[2]]; };
      result = verdict({ outside: counts(both).outside + crossed(crossings, difference, tau, at), on: 0 });
    } else {
      const sizes = add(moduli(n), moduli(d)).map(x => x[0]), all = trimmed(cleaned(both, sizes));
      if (all.length === 0) return 'unknown';
      result = verdict(counts(all));
      if (n.length <= d.length && all.length < d.length && result === 'stable') result = discrete ? 'unknown' : 'on the edge';
    }
    if (T.hidden && degree(T.hidden) > 0) {
      const c = counts(T.hidden);
      if (c.outside > 0) result = 'unstable'; else if (c.on > 0 && result === 'stable') result = 'on the edge';
    }
    return result;
  };

  const decibels = m => 0 - 20 * Math.log10(m);
  const least = all => all.length ? all.reduce((a, b) => Math.abs(b) < Math.abs(a) ? b : a) : null;

  const skews = [0, 1, -1];
  /** 1/|S + (σ − 1)/2| of a value of L; of an infinite one, too. */
  const radius = (skew, z) => {
    const m = Math.hypot(...z), great = !(m <= 1), u = great ? Number.isFinite(m) ? [z[0] / m / m, -z[1] / m / m] : [0, 0] : z;
    const [a, b] = great ? [skew - 1, skew + 1] : [skew + 1, skew - 1];
    return 2 * Math.hypot(1 + u[0], u[1]) / Math.hypot(a + b * u[0], b * u[1]);
  };
  /** What follows from the least radius and its frequency; null: at infinity only. */
  const disk = (skew, { value, at }) => {
    const low = skew === 1 ? 1 / (1 + value) : (2 - value * (1 - skew)) / (2 + (skew === -1 ? 0 : value)), db = x => 20 * Math.log10(x);
    const high = skew === -1 ? 1 + value : skew === 0 ? (2 + value) / (2 - value) : 1 / (1 - value), unbounded = value * (1 + skew) >= 2 || !Number.isFinite(value);
    const cosine = skew === 0 ? Number.isFinite(value) ? (4 - value * value) / (4 + value * value) : -1 : 1 - value * value / 2;
    return { skew, radius: Number.isFinite(value) ? value : null, gain_db: [low > 0 ? db(low) : null, unbounded ? null : db(high)], phase_deg: cosine >= -1 ? Math.acos(cosine) * degrees : null, frequency: at };
  };

  /** With dead time: phase crossovers one after the other, and the least radius of each skew, along ω. */
  const followed = (T, tau, last, at) => {
    const angle = phase(T), far = [...rootsOf(T.parts[0].n), ...rootsOf(T.d)].map(r => size(r.z)).filter(m => m > 0);
    const low = Math.min(...far, 1 / tau) * 1e-3, high = Math.max(...far, 1 / tau, last) * 1e3, found = [];
    let w = low, before = angle(w), two = [low, low];
    const refine = (a, b, f) => { for (let i = 0; i < 100; ++i) { const u = a + (b - a) * 0.381966, v = a + (b - a) * 0.618034; if (f(u) < f(v)) b = v; else a = u; } return { value: f((a + b) / 2), at: (a + b) / 2 }; };
    const nearest = skews.map(skew => ({ away: v => radius(skew, at(v)), least: { value: Infinity, at: null }, previous: radius(skew, at(w)), sinking: true }));
    for (let steps = 0; steps < 40000 && (w < high || found.length < 50) && (found.length < 50 || w <= last); ++steps) {
      const next = Math.min(w * 1.01, w + 0.05 / tau), now = angle(next);
      const k = Math.floor((before - Math.PI) / (2 * Math.PI)), m = Math.floor((now - Math.PI) / (2 * Math.PI));
      if (k !== m) {
        const goal = Math.PI + 2 * Math.PI * Math.max(k, m);
        let a = w, b = next;
        for (let i = 0; i < 80; ++i) { const c = (a + b) / 2; if ((angle(c) > goal) === (before > goal)) a = c; else b = c; }
        const v = (a + b) / 2, z = at(v);
        found.push({ frequency: v, gain_margin_db: decibels(Math.hypot(z[0], z[1])) });
      }
      for (const one of nearest) {
        const here = one.away(next);
        if (here > one.previous && one.sinking) { const low = refine(two[0], next, one.away); if (low.value < one.least.value) one.least = low; }
        one.sinking = here <= one.previous; one.previous = here;
      }
      two = [w, next]; w = next; before = now;
    }
    return { found, least: nearest.map(one => one.previous < one.least.value ? { value: one.previous, at: w } : one.least) };
  };

  return (T, q) => {
    if (T === null || !T.d || T.parts.length > 1) return null;
    const result = { closed_loop: 'stable', gain_margin_db: null, phase_margin_deg: null, modulus_margin: null, delay_margin: null, disk: null, gain_crossovers: [], phase_crossovers: [] };
    if (T.parts.length === 0) {
      result.modulus_margin = 1;
      result.closed_loop = verdict(counts(T.d));
      if (result.closed_loop === 'stable') result.disk = [[0, 2], [1, 1], [-1, Infinity]].map(([skew, value]) => disk(skew, { value, at: 0 }));
      return result;
    }
    const { n, d } = onAxis(T), tau = T.parts[0].delay[0];
    const [Ne, No, De, Do] = [half(n, 0), half(n, 1), half(d, 0), half(d, 1)], above = squared(n), below = squared(d), both = squared(trimmed(add(n, d)));
    const difference = sum([[1, Ne, Ne], [1, raised(No), No], [-1, De, De], [-1, raised(Do), Do]]);
    const frequency = v => discrete ? 2 / h * Math.atan(v) : v;
    const at = v => { const s = v * v === Infinity ? null : discrete ? [(1 - v * v) / (1 + v * v), 2 * v / (1 + v * v)] : [0, v]; return s && value(T, q, ...s) || [Infinity, 0]; };
    const pure = tau === 0, still = d[0][0] !== 0 ? real.div(n[0], d[0])[0] : null;
    const gain = positive(difference).map(r => ({ w: Math.sqrt(r.x), x: r.x, multiplicity: r.multiplicity }));
    if (still === -1) result.gain_crossovers.push({ frequency: 0, phase_margin_deg: 0 });
    for (const { w, x } of gain) {
      const z = at(w); let margin = 180 + Math.atan2(z[1], z[0]) * degrees;
      if (margin > 180) margin -= 360;
      result.gain_crossovers.push({ frequency: frequency(w), phase_margin_deg: pure && vanishes(both, x) ? 0 : margin });
    }
    if (still !== null && still < 0) result.phase_crossovers.push({ frequency: 0, gain_margin_db: decibels(-still) });
    const last = n.length === d.length ? real.div(n[n.length - 1], d[d.length - 1])[0] : n.length > d.length ? Infinity : 0;
    if (pure) {
      const imaginary = sum([[1, No, De], [-1, Ne, Do]]), isReal = imaginary.length === 0;
      for (const { x } of isReal ? [] : positive(imaginary)) {
        if (vanishes(above, x) || vanishes(below, x)) continue;
        const w = Math.sqrt(x), z = at(w);
        if (z[0] < 0) result.phase_crossovers.push({ frequency: frequency(w), gain_margin_db: vanishes(both, x) ? 0 : decibels(Math.hypot(...z)) });
      }
      if (discrete && Number.isFinite(last)) {
        if (last === -1) result.gain_crossovers.push({ frequency: Math.PI / h, phase_margin_deg: 0 });
        if (!isReal && last < 0) result.phase_crossovers.push({ frequency: Math.PI / h, gain_margin_db: decibels(-last) });
      }
      const U = sum([[1, Ne, De], [1, raised(No), Do]]), whole = sum([[1, Ne, Ne], [1, raised(No), No], [1, De, De], [1, raised(Do), Do]]);
      const stationary = [[U, whole], [both, below], [both, above]].map(([A, B]) => sum([[1, derivative(A), B], [-1, A, derivative(B)]]));
      const touching = positive(both);
      near = skews.map((skew, k) => {
        const all = [];
        const add = (z, v) => { const value = radius(skew, z); if (!Number.isNaN(value)) all.push({ value, at: v }); };
        add([still === null ? Infinity : still, 0], 0);
        if (both.length === 0) all.push({ value: 0, at: 0 });
        for (const { x } of touching) all.push({ value: 0, at: frequency(Math.sqrt(x)) });
        for (const { x } of positive(stationary[k])) add(at(Math.sqrt(x)), frequency(Math.sqrt(x)));
        add([last, 0], discrete ? Math.PI / h : null);
        return all.reduce((a, b) => b.value < a.value * (1 - 1e-12) ? b : a);
      });
    } else {
      const rough = quickly(T), all = followed(T, tau, Math.max(0, ...gain.map(g => g.w)), w => quick(rough, 0, w));
      result.phase_crossovers.push(...all.found);
      near = skews.map((skew, k) => [{ value: radius(skew, [still === null ? Infinity : still, 0]), at: 0 }, all.least[k], { value: radius(skew, [-Math.abs(last), 0]), at: null }].reduce((a, b) => b.value < a.value * (1 - 1e-12) ? b : a));
    }
    result.modulus_margin = Number.isFinite(near[1].value) ? near[1].value : null;
    result.gain_margin_db = least(result.phase_crossovers.map(c => c.gain_margin_db));
    result.phase_margin_deg = least(result.gain_crossovers.map(c => c.phase_margin_deg));
    if (!pure && last !== 0 && Number.isFinite(last) && Math.abs(result.gain_margin_db) > Math.abs(decibels(Math.abs(last)))) result.gain_margin_db = decibels(Math.abs(last));
    result.closed_loop = closed(T, T.parts[0].n, T.d, tau, gain, difference);
    if (result.closed_loop === 'stable') result.disk = skews.map((skew, k) => disk(skew, near[k]));
    let delay = null;
    for (const c of result.gain_crossovers) {
      const m = c.phase_margin_deg, angle = m > -1e-9 ? Math.max(m, 0) : m + 360, t = angle === 0 ? 0 : angle / degrees / c.frequency;
      if (delay === null || t < delay) delay = t;
    }
    if (result.closed_loop === 'stable' && !discrete && Math.abs(last) >= 1) delay = 0;
    if (result.closed_loop === 'stable' || result.closed_loop === 'on the edge' && delay === 0) result.delay_margin = delay;
    return result;
  };
})();
