'use strict';
// Sliders and fields of the parameters, and the figures that follow them.
(() => {
  if (!parameters) return;
  const controls = Array.from({ length: parameters.count }, () => ({}));
  const index = new Map(controls.map((_, i) => [parameters.name(i), i]));
  for (const e of document.querySelectorAll('[data-parameter], [data-undo]')) {
    const i = index.get(e.getAttribute(e.dataset.undo === undefined ? 'data-parameter' : 'data-undo'));
    if (i === undefined) continue;
    controls[i][e.type === 'range' ? 'range' : e.type === 'number' ? 'field' : 'button'] = e;
  }
  const panel = document.getElementById('parameters'), status = panel && panel.querySelector('[data-status]');
  const firsts = controls.map(c => [c.range && c.range.value, c.field && c.field.value]);
  let message = '', typed = null;

  const show = () => {
    controls.forEach(({ range, field, button }, i) => {
      const x = parameters.value(i), first = !parameters.isMoved(i) && x === parameters.start(i);
      if (field && field !== typed && (first ? field.value !== firsts[i][1] : Number(field.value) !== x || field.value === '')) field.value = first ? firsts[i][1] : String(x);
      if (field) field.removeAttribute('aria-invalid');
      if (range && range !== typed) range.value = first ? firsts[i][0] : String(x);
      if (button) button.disabled = !parameters.isMoved(i);
    });
    const all = panel && panel.querySelector('[data-reset]');
    if (all) all.disabled = !parameters.anyMoved();
    if (status) { const text = parameters.problem() || message; if (status.textContent !== text) status.textContent = text; }
  };
  parameters.listen(show);

  controls.forEach(({ range, field, button }, i) => {
    const moved = e => {
      const x = e.value.trim() === '' ? NaN : Number(e.value);
      if (!Number.isFinite(x)) {
        e.setAttribute('aria-invalid', 'true');
        message = `${parameters.name(i)}: not a number`;
        if (status) status.textContent = message;
        return;
      }
      message = `${parameters.name(i)} = ${e.value}`;
      typed = e;
      parameters.api.set(parameters.name(i), x);
      typed = null;
      if (e === range && field) field.value = e.value;
    };
    for (const e of [range, field]) if (e) { e.disabled = false; e.addEventListener('input', () => moved(e)); }
    if (field) field.addEventListener('change', () => { if (!Number.isFinite(field.value.trim() === '' ? NaN : Number(field.value))) { message = ''; show(); } });
    if (button) button.addEventListener('click', () => { message = ''; parameters.api.reset(parameters.name(i)); (field || panel).focus(); });
  });
  const all = panel && panel.querySelector('[data-reset]');
  if (all) all.addEventListener('click', () => { message = 'All parameters as they were stated.'; parameters.api.reset(); });
  show();

  // Figures in words and tables, in place of those that were written at first.
  const labels = new Map(Array.from({ length: parameters.transfers() }, (_, q) => [parameters.label(q), q]));
  const element = (name, text, children = []) => { const e = document.createElement(name); if (text) e.textContent = text; e.append(...children); return e; };
  const number = x => { if (x === null || Number.isNaN(x)) return '–'; if (!Number.isFinite(x)) return x < 0 ? '−∞' : '∞'; return String(Number(x.toPrecision(6))).replace(/-/g, '−'); };
  const complexText = z => z[2] === 0 ? digits(z[0]) : `${digits(z[0])} ${z[2] < 0 ? '−' : '+'} ${digits(Math.abs(z[2]))}j`;
  const digits = x => String(Number(x.toPrecision(10))).replace(/-/g, '−');
  const table = (heads, rows) => element('table', '', [element('thead', '', [element('tr', '', heads.map(h => { const e = element('th', h); e.scope = 'col'; return e; }))]), element('tbody', '', rows.map(r => element('tr', '', r.map(c => element('td', c)))))]);

  const polesTable = q => {
    const T = parameters.transfer(q), found = responses.poles(T);
    if (!found) return element('p', parameters.problem() || 'There is no list of poles at these values.');
    const rows = found.flatMap(({ z, multiplicity }) => {
      const a = Math.hypot(z[0], z[2]), s = responses.discrete ? [Math.log(a) / responses.h, Math.atan2(z[2], z[0]) / responses.h] : [z[0], z[2]];
      const w = Math.hypot(s[0], s[1]);
      return Array.from({ length: multiplicity }, () => [responses.discrete || z[2] === 0 ? complexText(z) : complexText(z), number(w), number(w === 0 || !Number.isFinite(w) ? 1 : -s[0] / w), number(s[0] === 0 ? null : -1 / s[0])]);
    });
    const zeros = T.parts.length === 1 ? responses.rootsOf(T.parts[0].n).flatMap(({ z, multiplicity }) => Array.from({ length: multiplicity }, () => complexText(z))) : null;
    const made = element('div', '', [table(['pole', 'ω_n, rad/s', 'damping', 'time constant, s'], rows)]);
    if (zeros) made.append(element('p', zeros.length ? `zeros: ${zeros.join(', ')}` : 'zeros: none'));
    return made;
  };
  const marginsTable = q => {
    const m = margins(parameters.transfer(q), q);
    if (!m) return element('p', 'There are no margins at these values.');
    return table(['margin', 'value'], [['closed loop', m.closed_loop], ['gain margin, dB', number(m.gain_margin_db)], ['phase margin, deg', number(m.phase_margin_deg)], ['modulus margin', number(m.modulus_margin)], ['delay margin, s', number(m.delay_margin)], ['disk margin', number(m.disk && m.disk[0].radius)]]);
  };
  const places = [...document.querySelectorAll('#poles [data-transfer], #frequency [data-transfer]')].flatMap(at => {
    const q = labels.get(at.getAttribute('data-transfer'));
    const words = [...at.children].filter(e => !e.matches('svg, figure, h3, h4') && !e.querySelector('svg, button'));
    if (q === undefined || !at.querySelector('table') || words.length === 0 || at.parentNode.closest('[data-transfer]')) return [];
    const make = at.closest('#poles') ? polesTable : marginsTable, now = element('div');
    now.className = 'moved';
    now.hidden = true;
    at.append(now);
    return [{ q, at, words, make, now }];
  });
  const kept = moving.coefficients ? [...document.querySelectorAll('#time [data-transfer] table')] : [...document.querySelectorAll('#time > .part')].slice(0, 1);
  const stated = kept.map(table => {
    const e = element('p', moving.coefficients ? 'These figures are of the values as stated.' : 'Step responses are of the values as stated: the page does not recalculate them.');
    e.className = 'moved';
    e.hidden = true;
    table.before(e);
    return e;
  });
  parameters.follow(() => {
    const still = !parameters.anyMoved();
    for (const e of stated) e.hidden = still;
  });
  parameters.followInSight(places, place => place.at, some => {
    const still = !parameters.anyMoved();
    for (const { q, words, make, now } of some) {
      for (const e of words) e.hidden = !still;
      now.hidden = still;
      now.replaceChildren(...(still ? [] : [make(q)]));
    }
  });
})();
