'use strict';
// Curves that follow the parameters, in the coordinates of the picture as it was drawn; the grey twins stay. Where a curve leaves
// its frame the ordinate gets another scale: by a transformation of the curves, and with new numbers.
const curves = (() => {
  if (!parameters) return null;
  const svg = (name, attributes, text) => {
    const e = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
    if (text !== undefined) e.textContent = text;
    return e;
  };
  const numbers = text => text.trim().split(/\s+/).map(Number);
  const labels = new Map(Array.from({ length: parameters.transfers() }, (_, q) => [parameters.label(q), q]));
  const transferOf = e => { const at = e.closest('[data-transfer]'); return at ? labels.get(at.getAttribute('data-transfer')) : undefined; };

  const panels = new Map();
  const panelOf = g => {
    if (panels.has(g)) return panels.get(g);
    const [left, top, right, bottom] = numbers(g.dataset.box), [low, high] = numbers(g.dataset.y), inner = g.querySelector(':scope > .curves');
    const id = 'moving-frame-' + panels.size, clip = svg('clipPath', { id });
    clip.append(svg('rect', { x: left, y: top, width: right - left, height: bottom - top }));
    const frame = svg('g', { 'clip-path': `url(#${id})` });
    inner.replaceWith(frame); frame.append(inner); frame.before(clip);
    const panel = { g, inner, left, top, right, bottom, low, high, scale: g.dataset.yScale, ordinate: [...g.querySelectorAll(':scope > .ordinate')], shown: null };
    panels.set(g, panel);
    return panel;
  };

  const all = [...document.querySelectorAll('path[data-curve]:not(.original)')].flatMap(path => {
    const g = path.closest('.panel[data-box]'), q = transferOf(path), kind = path.getAttribute('data-curve');
    if (!g || q === undefined || !['bode-magnitude', 'bode-phase', 'step'].includes(kind)) return [];
    const [low, high] = numbers(path.getAttribute('data-range'));
    path.setAttribute('vector-effect', 'non-scaling-stroke');
    const twin = path.parentNode.querySelector('path.original');
    if (twin) twin.setAttribute('vector-effect', 'non-scaling-stroke');
    return [{ path, kind, q, low, high, panel: panelOf(g), first: path.getAttribute('d') }];
  });

  const spaced = (low, high, count, even) => Array.from({ length: count + 1 }, (_, i) => i === count ? high : even ? low + (high - low) * i / count : low * (high / low) ** (i / count));
  /** Frequencies for a curve: even, and closer where a root lies near the axis. */
  const frequencies = (T, low, high) => {
    const found = spaced(low, high, 240, false);
    if (T.d && !responses.discrete) for (const p of [T.d, ...T.parts.map(x => x.n)]) for (const { z } of responses.rootsOf(p)) {
      if (!(z[2] > 0) || Math.abs(z[0]) > 0.3 * z[2]) continue;
      const w = Math.hypot(z[0], z[2]), narrow = Math.max(Math.abs(z[0]), 1e-3 * Math.log(high / low) * w);  // about a pixel
      for (const k of [-4, -2, -1, -0.5, 0, 0.5, 1, 2, 4]) if (w + k * narrow > low && w + k * narrow < high) found.push(w + k * narrow);
    }
    return found.sort((a, b) => a - b);
  };
  const times = (T, low, high) => {
    const found = spaced(low, high, 300, true);
    if (T.parts) for (const { delay } of T.parts) if (delay[0] > low && delay[0] < high) found.push(delay[0] * (1 - 1e-12), delay[0]);
    return found.sort((a, b) => a - b);
  };
  const sampled = (low, high) => {  // held between the samples
    const found = [low], h = responses.h;
    for (let k = Math.ceil(low / h + 1e-9); k * h <= high * (1 + 1e-12) && found.length < 20000; ++k) found.push(k * h);
    if (found[found.length - 1] < high) found.push(high);
    return found;
  };

  /** [[abscissa, ordinate] …] of a curve at the present values; null where there is none. */
  const pointsOf = ({ kind, q, low, high }, known) => {
    const T = parameters.transfer(q);
    if (T === null) return null;
    if (kind === 'step') {
      const x = responses.discrete ? sampled(low, high) : T.d ? times(T, low, high) : [], y = responses.steps(T, x);
      if (!y) return null;
      return responses.discrete ? x.flatMap((t, i) => i === 0 ? [[t, y[i]]] : [[t, y[i - 1]], [t, y[i]]]) : x.map((t, i) => [t, y[i]]);
    }
    const key = `${q} ${low} ${high}`;
    if (!known.has(key)) { const x = frequencies(T, low, high); known.set(key, { x, ...responses.bode(T, q, x) }); }
    const { x, magnitude, phase } = known.get(key), y = kind === 'bode-phase' ? phase : magnitude;
    if (kind === 'bode-magnitude' && !magnitude.some(Number.isFinite)) return null;
    return x.map((w, i) => [w, y[i]]);
  };

  const write = (curve, points) => {
    const { panel, kind, low, high } = curve, [x0, x1] = numbers(panel.g.dataset.x), log = panel.g.dataset.xScale === 'logarithmic';
    const across = x => panel.left + (panel.right - panel.left) * (log ? Math.log(x / x0) / Math.log(x1 / x0) : (x - x0) / (x1 - x0));
    const up = y => panel.bottom - (panel.bottom - panel.top) * (y - panel.low) / (panel.high - panel.low);
    let d = '', pen = 'M', previous = NaN;
    const text = v => String(Math.round(v * 1000) / 1000);
    for (const [x, y] of points) {
      if (!Number.isFinite(y)) { pen = 'M'; previous = NaN; continue; }
      if (kind === 'bode-phase' && Math.abs(y - previous) > 170) pen = 'M';  // a root on the axis: no value between
      d += pen + text(across(x)) + ',' + text(Math.max(-1e6, Math.min(1e6, up(y))));
      pen = 'L'; previous = y;
    }
    curve.path.setAttribute('d', d);
    const finite = points.map(p => p[1]).filter(Number.isFinite);
    if (finite.length) curve.extent = finite.reduce(([a, b], y) => [Math.min(a, y), Math.max(b, y)], [Infinity, -Infinity]);
  };

  const steps = { degrees: [15, 30, 45, 90, 180, 360, 720, 1800, 3600], decibels: [1, 2, 5, 10, 20, 40, 60, 100, 200, 400] };
  const stepFor = (span, scale) => {
    const wanted = span / 5, list = steps[scale];
    if (list && wanted <= list[list.length - 1]) return list.find(s => s >= wanted * 0.8) || list[list.length - 1];
    const ten = 10 ** Math.floor(Math.log10(wanted)), m = wanted / ten;
    return (m < 1.5 ? 1 : m < 3.5 ? 2 : m < 7.5 ? 5 : 10) * ten;
  };
  const tick = v => { const t = Math.abs(v) < 1e-15 ? '0' : String(Number(v.toPrecision(6))); return t.replace(/-/g, '−'); };

  /** The ordinate from low to high, or as it was drawn. */
  const rescale = (panel, low, high) => {
    panel.shown?.forEach(e => e.remove());
    panel.shown = null;
    const same = low === panel.low && high === panel.high;
    for (const e of panel.ordinate) e.style.display = same ? '' : 'none';
    for (const e of panel.g.querySelectorAll('.rule, .note, .mark')) e.style.display = same ? '' : 'none';
    if (same) { panel.inner.removeAttribute('transform'); return; }
    const height = panel.bottom - panel.top, zoom = (panel.high - panel.low) / (high - low);
    // y = bottom − height (v − low₀)/(high₀ − low₀) becomes bottom − height (v − low)/(high − low)
    panel.inner.setAttribute('transform', `matrix(1 0 0 ${zoom} 0 ${panel.bottom - zoom * panel.bottom + height * (low - panel.low) / (high - low)})`);
    const by = stepFor(high - low, panel.scale), grid = svg('g', { class: 'ordinate' }), text = svg('g', { class: 'ordinate' });
    for (let k = Math.ceil(low / by - 1e-9); k * by <= high + 1e-9 * by; ++k) {
      const y = panel.bottom - height * (k * by - low) / (high - low);
      grid.append(svg('path', { class: 'grid', d: `M${panel.left},${y}H${panel.right}` }));
      text.append(svg('text', { class: 'end', x: panel.left - 7, y: y + 4.5 }, tick(k * by)));
    }
    panel.g.prepend(grid);
    panel.inner.parentNode.before(text);
    panel.shown = [grid, text];
  };
  const fit = panel => {
    let low = panel.low, high = panel.high;
    const mine = all.filter(c => c.panel === panel && c.extent);
    for (const c of mine) { low = Math.min(low, c.extent[0]); high = Math.max(high, c.extent[1]); }
    if (low < panel.low || high > panel.high) {
      if (panel.scale === 'decibels' && high - low > 400) low = Math.max(low, Math.min(panel.low, high - 400));
      const by = stepFor(high - low, panel.scale);
      if (low < panel.low) low = Math.floor(low / by) * by;
      if (high > panel.high) high = Math.ceil(high / by) * by;
    }
    rescale(panel, low, high);
  };

  const move = (some = [...panels.values()]) => {
    const known = new Map(), still = !parameters.anyMoved();
    for (const curve of all.filter(c => some.includes(c.panel))) {
      curve.extent = null;
      if (still) { curve.path.setAttribute('d', curve.first); continue; }
      const points = pointsOf(curve, known);
      if (points) write(curve, points); else curve.path.setAttribute('d', '');
    }
    for (const panel of some) {
      fit(panel);
      for (const e of panel.g.querySelectorAll('.mark, g[data-curve="samples"]')) e.style.display = still ? '' : 'none';
    }
  };
  parameters.followInSight([...panels.values()], panel => panel.g, move);
  return { move, count: all.length };
})();
