'use strict';
// The picture of the graph, in the page itself, and what is done to it with mouse, finger and keys. It knows nothing of texts: who
// owns the text is told what is to be changed, in the words of `sfg graph --edit`, and shows the picture of the changed text.

/** A name as the words of an edit have it. */
const named = name => '"' + name.replace(/[\\"]/g, '\\$&') + '"';

/** The shift and stretch that brings the first of each pair of points best onto the second, and how far off the worst is.
 *  @param usual  the stretch where the points do not tell one */
function similarity(pairs, usual) {
  const mean = list => list.reduce((sum, p) => ({ x: sum.x + p.x / list.length, y: sum.y + p.y / list.length }), { x: 0, y: 0 });
  const from = mean(pairs.map(([p]) => p)), to = mean(pairs.map(([, q]) => q));
  let products = 0, squares = 0;
  for (const [p, q] of pairs) {
    products += (p.x - from.x) * (q.x - to.x) + (p.y - from.y) * (q.y - to.y);
    squares += (p.x - from.x) ** 2 + (p.y - from.y) ** 2;
  }
  const scale = squares > 1 && products > 0 ? products / squares : usual;
  const move = p => ({ x: to.x + scale * (p.x - from.x), y: to.y + scale * (p.y - from.y) });
  return { scale, move, off: Math.max(...pairs.map(([p, q]) => Math.hypot(move(p).x - q.x, move(p).y - q.y))) };
}

/** The same of all pairs but one, where that one alone has moved against the others: what an undo moves does not move the rest. */
function similarityOfMost(pairs, usual) {
  const whole = similarity(pairs, usual), near = 1, most = 300;
  if (whole.off <= near || pairs.length < 3 || pairs.length > most) return whole;
  // Of those that fit, the one that changes least: in a row of three every two of them fit.
  const change = of => Math.abs(Math.log(of.scale / usual));
  const fits = pairs.map((_, k) => similarity(pairs.filter((_, i) => i !== k), usual)).filter(each => each.off <= near);
  return fits.length ? fits.reduce((a, b) => (change(b) < change(a) ? b : a)) : whole;
}

class Picture {
  /** @param frame the element that holds it  @param owner { edit(words, { moved node, choice then }) → Promise<boolean>, chosen(what), gain(), undo(forward) } */
  constructor(frame, owner) {
    this.frame = frame;
    this.owner = owner;
    this.styles = new CSSStyleSheet();
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, this.styles];
    this.view = null;          // screen pixels of a unit, and where the origin lies in the frame
    this.places = new Map();   // of nodes, in units of the picture
    this.graph = null;
    this.choice = null;        // { node } or { branch }
    this.editable = false;
    this.gesture = null;       // a press or drag under way
    this.lifted = null;        // a node that is shown elsewhere until the picture follows: { name, x, y }, how far
    this.waiting = null;       // a picture that came meanwhile
    this.shift = null;         // of a node under the arrow keys
    this.moved = null;         // the node that the next picture has elsewhere
    frame.addEventListener('pointerdown', event => this.down(event));
    frame.addEventListener('pointermove', event => this.move(event));
    frame.addEventListener('pointerup', event => this.up(event));
    frame.addEventListener('pointercancel', () => this.cancel());
    frame.addEventListener('wheel', event => this.wheel(event), { passive: false });
    frame.addEventListener('keydown', event => this.key(event));
  }

  // --- what is shown

  /** @param svg text of `sfg draw`  @param graph of `sfg graph --json`, or null where it is not known */
  show(svg, graph, editable) {
    if (this.gesture) return void (this.waiting = [svg, graph, editable]);  // nothing moves under a finger
    if (svg === this.source && this.svg) {
      Object.assign(this, { graph, editable, moved: null });
      return this.mark();
    }
    this.source = svg;
    const css = [];  // the page's policy takes no styles but its own
    const bare = svg.replace(/<style>([^]*?)<\/style>/g, (all, rules) => { css.push(rules); return ''; });
    const read = new DOMParser().parseFromString(bare, 'image/svg+xml').documentElement;
    if (read.localName !== 'svg') return;
    const focus = this.focused(), before = this.onScreen(), moved = this.moved;
    const next = document.importNode(read, true);
    this.styles.replaceSync(css.join('\n'));
    next.querySelectorAll('style, script, foreignObject, a').forEach(element => element.remove());
    this.ghost(null);
    this.frame.replaceChildren(next);
    this.svg = next;
    this.graph = graph;
    this.editable = editable;
    this.frame.classList.toggle('fixed', !editable);
    this.box = next.viewBox.baseVal;
    this.places = new Map([...next.querySelectorAll('g.node')].map(node => [node.dataset.node, this.middle(node)]));
    this.prepare();
    this.moved = null;
    this.frame.classList.remove('stale');
    if (!this.follow(before, moved)) this.fit();
    if (this.choice && !this.element(this.choice)) this.choice = null;
    this.mark();
    const again = focus && this.element(focus);
    if (again) again.focus({ preventScroll: true });
    const s = this.shift;
    if (!s) return;
    Object.assign(s, { x: s.x - s.before.x, y: s.y - s.before.y, before: { x: 0, y: 0 } });  // the picture has this now
    this.ghost(s.name, s.x, s.y);
  }

  middle(node) {
    const circle = node.querySelector('circle');
    if (circle) return { x: circle.cx.baseVal.value, y: circle.cy.baseVal.value };
    const box = node.getBBox();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  /** Room for a finger, names for who does not see, and the order in which one reads: from the left. */
  prepare() {
    const shape = (name, attributes) => {
      const made = document.createElementNS('http://www.w3.org/2000/svg', name);
      for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
      return made;
    };
    const groups = [...this.svg.querySelectorAll('g.node, g.branch')];
    for (const group of groups) {
      const title = group.querySelector('title');
      group.setAttribute('tabindex', '0');
      group.setAttribute('role', 'button');
      group.setAttribute('aria-label', group.classList.contains('node') ? 'node ' + group.dataset.node : 'branch ' + (title ? title.textContent : ''));
      const path = group.querySelector('path.branch');
      if (path) path.before(shape('path', { class: 'press', d: path.getAttribute('d') }));
      const place = this.places.get(group.dataset.node);
      if (place) group.append(shape('circle', { class: 'press', cx: place.x, cy: place.y, r: 13 }));
    }
    const left = group => (group.classList.contains('node') ? this.places.get(group.dataset.node) : this.places.get(group.dataset.from)) || { x: 0, y: 0 };
    for (const kind of ['branch', 'node']) {
      const some = groups.filter(group => group.classList.contains(kind)), parent = some[0] && some[0].parentNode;
      if (!parent || some.some(group => group.parentNode !== parent)) continue;
      const end = some[some.length - 1].nextSibling;
      for (const group of [...some].sort((a, b) => left(a).x - left(b).x || left(a).y - left(b).y)) parent.insertBefore(group, end);
    }
  }

  element(what) {
    if (!this.svg || !what) return null;
    return [...this.svg.querySelectorAll(what.node !== undefined ? 'g.node' : 'g.branch')].find(group => what.node !== undefined ? group.dataset.node === what.node : group.dataset.branch === String(what.branch)) || null;
  }
  what(element) {
    const group = element && element.closest && element.closest('g.node, g.branch');
    if (!group || !this.frame.contains(group)) return null;
    return group.classList.contains('node') ? { node: group.dataset.node } : { branch: Number(group.dataset.branch) };
  }
  focused() { return this.what(document.activeElement); }

  // --- where it lies: what stays where it was in the graph stays where it was on the screen

  onScreen() {
    if (!this.view) return null;
    return new Map([...this.places].map(([name, p]) => [name, this.seen(p)]));
  }
  seen(p) { return { x: this.view.x + this.view.scale * p.x, y: this.view.y + this.view.scale * p.y }; }
  follow(before, moved) {
    if (!before) return false;
    const common = [...this.places].filter(([name]) => before.has(name) && name !== moved);
    if (!common.length) return false;
    const { scale, move, off } = similarityOfMost(common.map(([name, p]) => [p, before.get(name)]), this.view.scale);
    if (off > 8) return false;
    this.view = { scale, ...move({ x: 0, y: 0 }) };
    this.lay();
    return true;
  }
  fit() {
    const width = this.frame.clientWidth, height = this.frame.clientHeight, b = this.box;
    if (!this.svg || !width || !height) return;
    const scale = Math.min(1.8, (width - 16) / b.width, (height - 16) / b.height);
    this.view = { scale, x: (width - scale * b.width) / 2 - scale * b.x, y: (height - scale * b.height) / 2 - scale * b.y };
    this.lay();
    this.fitted = true;
  }
  zoom(factor, x = this.frame.clientWidth / 2, y = this.frame.clientHeight / 2) {
    if (!this.view) return;
    const scale = Math.min(12, Math.max(.05, this.view.scale * factor)), f = scale / this.view.scale;
    this.view = { scale, x: x + f * (this.view.x - x), y: y + f * (this.view.y - y) };
    this.lay();
  }
  lay() {
    this.fitted = false;
    const { scale, x, y } = this.view, b = this.box;
    Object.assign(this.svg.style, { left: x + scale * b.x + 'px', top: y + scale * b.y + 'px', width: scale * b.width + 'px', height: scale * b.height + 'px' });
  }

  // --- what is chosen

  choose(what) {
    this.choice = what;
    this.mark();
  }
  mark() {
    if (!this.svg) return;
    this.svg.querySelectorAll('.selected').forEach(group => group.classList.remove('selected'));
    const group = this.element(this.choice);
    if (group) group.classList.add('selected');
    this.owner.chosen(this.choice);
  }
  /** Mouse, finger and Enter alike. */
  async press(what, again) {
    const from = this.choice && this.choice.node;
    if (what && what.node !== undefined && from !== undefined && this.choice && this.editable && (what.node !== from || again)) {
      const made = { branch: this.graph ? this.graph.branches.length : 0 };
      if (await this.owner.edit(['branch ' + named(from) + ' -> ' + named(what.node) + ' = 1'], { choice: made })) this.owner.gain();
      return;
    }
    this.choose(what && what.node !== undefined && what.node === from ? null : what);
  }
  erase() {
    if (!this.choice || !this.editable) return;
    const words = this.choice.node !== undefined ? 'delete ' + named(this.choice.node) : 'delete branch ' + this.choice.branch;
    return this.owner.edit([words], { choice: null });
  }

  // --- places: those that the text states are in its units, of all others the picture's own are written with the first drag

  stated() {
    const read = new Map();
    for (const node of (this.graph ? this.graph.nodes : [])) {
      const pos = /^\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)/.exec((node.attributes || {}).pos || '');
      if (pos && this.places.has(node.name)) read.set(node.name, { x: Number(pos[1]), y: -Number(pos[2]) });
    }
    return read;
  }
  place(name, to) {
    const stated = this.stated(), some = stated.size > 1, unit = some ? similarity([...stated].map(([node, q]) => [this.places.get(node), q]), 1).move : p => p;
    const words = [];
    for (const [node, p] of this.places) {
      if (node !== name && some && stated.has(node)) continue;
      const q = unit(node === name ? to : p);
      words.push('place ' + named(node) + ' ' + q.x.toFixed(2) + ',' + (-q.y).toFixed(2));
    }
    return this.owner.edit(words, { moved: name });
  }

  // --- mouse and finger

  down(event) {
    if (event.button !== 0 || this.gesture) return;
    const what = this.what(event.target);
    this.gesture = { id: event.pointerId, what, x: event.clientX, y: event.clientY, dragged: false, view: this.view && { ...this.view }, base: this.offset(what && what.node) };
    this.frame.setPointerCapture(event.pointerId);
    const group = this.element(what);
    if (group) group.focus({ preventScroll: true });
    event.preventDefault();
  }
  move(event) {
    const g = this.gesture;
    if (!g || event.pointerId !== g.id || !this.view) return;
    const dx = event.clientX - g.x, dy = event.clientY - g.y;
    if (!g.dragged && Math.hypot(dx, dy) <= 4) return;
    g.dragged = true;
    if (g.what && g.what.node !== undefined && this.editable) return this.ghost(g.what.node, g.base.x + dx / this.view.scale, g.base.y + dy / this.view.scale);
    if (g.what && g.what.branch !== undefined) return;
    this.view = { ...g.view, x: g.view.x + dx, y: g.view.y + dy };
    this.lay();
  }
  up(event) {
    const g = this.gesture;
    if (!g || event.pointerId !== g.id) return;
    const from = this.view && g.what && this.places.get(g.what.node), screen = from && this.seen({ x: from.x + g.base.x, y: from.y + g.base.y });
    this.released();  // which may show another picture
    if (!g.dragged) return void this.press(g.what, event.shiftKey);
    if (!from || !this.editable) return;
    this.put(g.what.node, { x: (screen.x + event.clientX - g.x - this.view.x) / this.view.scale, y: (screen.y + event.clientY - g.y - this.view.y) / this.view.scale });
  }
  cancel() {
    this.released();
    this.ghost(null);
  }
  released() {
    const waiting = this.waiting;
    this.gesture = this.waiting = null;
    if (waiting) this.show(...waiting);
  }
  async put(name, to) {
    if (!await this.place(name, to)) this.ghost(null);
  }
  /** The node under way, with straight lines for its branches. */
  ghost(name, dx = 0, dy = 0) {
    this.lifted = name === null ? null : { name, x: dx, y: dy };
    if (!this.svg) return;
    this.svg.querySelectorAll('line.ghost').forEach(line => line.remove());
    this.svg.querySelectorAll('g.node[transform]').forEach(node => node.removeAttribute('transform'));
    const group = name !== null && this.element({ node: name }), at = this.places.get(name);
    if (!group || !at) return;
    group.setAttribute('transform', 'translate(' + dx + ' ' + dy + ')');
    for (const branch of this.svg.querySelectorAll('g.branch')) {
      const { from, to } = branch.dataset, other = this.places.get(from === name ? to : from);
      if (from === to || (from !== name && to !== name) || !other) continue;
      const line = document.createElementNS('http://www.w3.org/2000/svg', 'line');
      for (const [key, value] of Object.entries({ class: 'ghost', x1: other.x, y1: other.y, x2: at.x + dx, y2: at.y + dy })) line.setAttribute(key, value);
      this.svg.append(line);
    }
  }
  /** How far a node is from its place already: it may move again before the picture follows. */
  offset(name) { return this.lifted && this.lifted.name === name ? { x: this.lifted.x, y: this.lifted.y } : { x: 0, y: 0 }; }
  wheel(event) {
    if (!this.view) return;
    event.preventDefault();
    const frame = this.frame.getBoundingClientRect();
    if (event.ctrlKey) return this.zoom(Math.exp(-event.deltaY / 300), event.clientX - frame.x, event.clientY - frame.y);
    this.view = { ...this.view, x: this.view.x - event.deltaX, y: this.view.y - event.deltaY };
    this.lay();
  }

  // --- keys

  key(event) {
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z') this.owner.undo(event.shiftKey);
    else if (event.ctrlKey || event.metaKey || event.altKey) return;
    else if (event.key === 'Enter' || event.key === ' ') this.press(this.focused(), event.shiftKey);
    else if (event.key === 'Delete' || event.key === 'Backspace') this.erase();
    else if (event.key === 'Escape') this.choose(null);
    else if (arrows[event.key] && this.choice && this.choice.node !== undefined && this.editable) this.nudge(this.choice.node, arrows[event.key], event.shiftKey ? 1 : 10);
    else return;
    event.preventDefault();
  }
  /** Several presses are one move. */
  nudge(name, [x, y], step) {
    const from = this.places.get(name);
    if (!from) return;
    if (!this.shift || this.shift.name !== name) this.shift = { name, ...this.offset(name), before: this.offset(name) };
    const s = this.shift;
    s.x += x * step;
    s.y += y * step;
    this.ghost(name, s.x, s.y);
    clearTimeout(this.later);
    this.later = setTimeout(() => this.settle(), 200);
  }
  /** What the arrow keys have begun is done. */
  async settle() {
    clearTimeout(this.later);
    const s = this.shift, from = s && this.places.get(s.name);
    this.shift = null;
    if (from) await this.put(s.name, { x: from.x + s.x, y: from.y + s.y });
  }
}
