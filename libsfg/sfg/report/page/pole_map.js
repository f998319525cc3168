'use strict';
// Poles and zeros in the plane at the present values, over those of the stated ones, which fade.
(() => {
  if (!parameters) return;
  const labels = new Map(Array.from({ length: parameters.transfers() }, (_, q) => [parameters.label(q), q]));
  const numbers = text => text.trim().split(/\s+/).map(Number);
  const maps = [...document.querySelectorAll('#poles .panel[data-box]')].flatMap(panel => {
    const at = panel.closest('[data-transfer]'), q = at ? labels.get(at.getAttribute('data-transfer')) : undefined, inner = panel.querySelector('.curves');
    if (q === undefined || !inner) return [];
    const now = document.createElementNS('http://www.w3.org/2000/svg', 'g');
    now.setAttribute('class', 'moved ink');
    inner.after(now);
    return [{ q, panel, now, firsts: [...inner.querySelectorAll('g.curve')], box: numbers(panel.dataset.box), x: numbers(panel.dataset.x), y: numbers(panel.dataset.y) }];
  });
  const path = d => {
    const e = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    e.setAttribute('class', 'line');
    e.setAttribute('d', d);
    return e;
  };
  const draw = ({ q, now, firsts, box: [left, top, right, bottom], x, y }) => {
    const still = !parameters.anyMoved(), T = parameters.transfer(q), poles = still ? null : responses.poles(T);
    for (const e of firsts) e.style.opacity = still || !poles ? '' : 0.35;
    const place = z => [left + (right - left) * (z[0] - x[0]) / (x[1] - x[0]), bottom - (bottom - top) * (z[2] - y[0]) / (y[1] - y[0])];
    const seen = ([u, v]) => u >= left && u <= right && v >= top && v <= bottom;
    const marks = (roots, d) => roots.map(r => place(r.z)).filter(seen).map(([u, v]) => path(d(u.toFixed(2), v.toFixed(2))));
    now.replaceChildren(...(poles ? [
      ...marks(poles, (u, v) => `M${u},${v}m-4.5,-4.5l9,9m0,-9l-9,9`),
      ...(T.parts.length === 1 ? marks(responses.rootsOf(T.parts[0].n), (u, v) => `M${u},${v}m-4.8,0a4.8,4.8 0 1 0 9.6,0a4.8,4.8 0 1 0 -9.6,0`) : []),
    ] : []));
  };
  parameters.followInSight(maps, map => map.panel, some => some.forEach(draw));
})();
