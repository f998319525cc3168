'use strict';
// The parameters at their present values, and what scripts may ask: window.sfg.
const parameters = (() => {
  if (!responses) return null;
  const names = new Map(moving.parameters.map((p, i) => [p.name, i]));
  const programs = moving.parameters.map(p => p.follows ? realMachine(p.follows) : null);
  const pairs = new Map(moving.transfers.map((t, q) => [JSON.stringify([t.input, t.output]), q]));
  const start = moving.parameters.map(p => real.ofText(p.start)), present = start.slice(), moved = new Set(), listeners = [];
  let transfers = responses.transfers(present), problem = '';

  /** What follows others, as often as there are steps from one to the next. */
  const follow = () => {
    for (let round = 0; round < present.length; ++round) {
      let changed = false;
      programs.forEach((program, i) => {
        if (!program || moved.has(i)) return;
        const [next] = moved.size ? program(present) : [start[i]];
        if (next.m !== present[i].m || next.e !== present[i].e) { present[i] = next; changed = true; }
      });
      if (!changed) return;
    }
  };
  // Pictures and tables are drawn in the next frame, so that a slider may run ahead of them; for a script they are at once.
  const drawings = [];
  let waiting = false;
  const inSight = e => { const r = e.getBoundingClientRect(); return r.bottom > 0 && r.top < innerHeight; };
  /** draw(some) of what is in sight at once, of the others one after the other when nothing has moved for a while. */
  const followInSight = (items, element, draw) => {
    const rest = 150;  // ms
    let waiting = 0;
    drawings.push(wholly => {
      clearTimeout(waiting);
      const others = wholly ? [] : items.filter(item => !inSight(element(item)));
      draw(items.filter(item => !others.includes(item)));
      const next = () => {
        draw([others.shift()]);
        if (others.length > 0) waiting = setTimeout(next, 0);
      };
      if (others.length > 0) waiting = setTimeout(next, rest);
    });
  };
  const draw = wholly => {
    if (!waiting) return;
    waiting = false;
    for (const drawing of drawings) drawing(wholly);
  };
  const changed = () => {
    follow();
    transfers = responses.transfers(present);
    problem = transfers.some(T => T === null) ? 'These values give no answer: something is divided by zero, or is not a number.' : '';
    for (const listener of listeners) listener();
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => draw(false));
    setTimeout(() => draw(false), 30);  // frames are rare on a busy machine, and there are none in a page that is not seen
  };
  const transfer = q => {
    if (transfers[q] && transfers[q].raw) transfers[q] = responses.reduced(transfers[q]);
    return transfers[q];
  };
  const place = name => {
    if (!names.has(String(name))) throw new RangeError('no parameter ' + JSON.stringify(name));
    return names.get(String(name));
  };
  const pair = (input, output) => {
    if (input === undefined && output === undefined) return 0;
    const q = pairs.get(JSON.stringify([String(input), String(output)]));
    if (q === undefined) throw new RangeError('no transfer function from ' + JSON.stringify(input) + ' to ' + JSON.stringify(output));
    return q;
  };

  const set = (name, value) => {
    const i = place(name), x = Number(value);
    if (!Number.isFinite(x)) throw new RangeError('a value of ' + JSON.stringify(name) + ' is a finite number');
    present[i] = real.ofText(x);
    moved.add(i);
    changed();
  };
  /** One of them as it was loaded, or all. */
  const reset = name => {
    for (const i of name === undefined ? present.keys() : [place(name)]) { present[i] = start[i]; moved.delete(i); }
    changed();
  };
  const poles = (input, output) => {
    const found = responses.poles(transfer(pair(input, output)));
    return found && found.flatMap(({ z, multiplicity }) => Array.from({ length: multiplicity }, () => [z[0], z[2]]));
  };
  const api = {
    set, reset, poles,
    transfer: (input, output, re, im) => { const q = pair(input, output); return responses.value(transfer(q), q, Number(re), Number(im)); },
    step: (input, output, t) => responses.step(transfer(pair(input, output)), Number(t)),
    impulse: (input, output, t) => responses.impulse(transfer(pair(input, output)), Number(t)),
    margins: (input, output) => { const q = pair(input, output); return margins(transfer(q), q); },
    parameters: () => moving.parameters.map((p, i) => ({ name: p.name, value: present[i][0] })),
  };
  const drawn = f => (...given) => { f(...given); draw(true); };
  window.sfg = Object.freeze({ ...api, set: drawn(set), reset: drawn(reset) });
  return {
    api, count: present.length, name: i => moving.parameters[i].name, value: i => present[i][0], start: i => start[i][0],
    isMoved: i => moved.has(i), anyMoved: () => moved.size > 0, transfer, label: q => moving.transfers[q].label,
    transfers: () => moving.transfers.length, problem: () => problem, listen: f => listeners.push(f),
    follow: f => drawings.push(f), followInSight,
  };
})();
