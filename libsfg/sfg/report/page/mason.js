// Mason's rule: what is pressed lights up in the graph and in the terms of the derivation.
(() => {
'use strict';
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const picture = document.querySelector('#graph svg');
const branches = picture ? all('g.branch', picture) : [], nodes = picture ? all('g.node', picture) : [];
const names = all('ul.signals > li').map(item => item.getAttribute('data-name'));
const numbers = (element, name) => (element.getAttribute(name) || '').split(' ').filter(word => word !== '').map(Number);
const transferOf = element => { const holder = element.closest('[data-transfer]'); return holder ? holder.getAttribute('data-transfer') : null; };

const branchByIndex = new Map(branches.map(g => [Number(g.getAttribute('data-branch')), g]));
const nodeByName = new Map(nodes.map(g => [g.getAttribute('data-node'), g]));
const terms = all('[data-terms]').map(element => ({ element, words: new Set(element.getAttribute('data-terms').split(' ')), transfer: transferOf(element) }));
const termsOf = new Map();
for (const term of terms) for (const word of term.words) termsOf.has(word) ? termsOf.get(word).push(term) : termsOf.set(word, [term]);

// A path, loop or set: its button, where it runs, and the words that a term must have all of to be one of its terms.
const kinds = { 'data-path': 'P', 'data-reference-path': 'Q', 'data-loop': 'L', 'data-set': 'L' };
const controls = all('button[data-path], button[data-reference-path], button[data-loop], button[data-set]').map(button => {
  const kind = Object.keys(kinds).find(name => button.hasAttribute(name));
  const label = button.getAttribute(kind).split(',').map(number => kinds[kind] + number);
  const transfer = kinds[kind] === 'L' ? null : transferOf(button);
  const found = (termsOf.get(label[0]) || []).filter(term => label.every(word => term.words.has(word)) && (transfer === null || term.transfer === transfer));
  const own = numbers(button, 'data-nodes');
  return { button, kind, label: label.join('·'), transfer, nodes: new Set(own), lights: [
    ...numbers(button, 'data-branches').map(index => branchByIndex.get(index)), ...own.map(index => nodeByName.get(names[index])), ...found.map(term => term.element)
  ].filter(Boolean), branches: new Set(numbers(button, 'data-branches')) };
});
const controlOf = new Map(controls.map(control => [control.button, control]));
const usersOf = new Map(branches.map(g => [g, controls.filter(control => control.kind !== 'data-set' && control.branches.has(Number(g.getAttribute('data-branch'))))]));

const pressed = new Set(), held = new Set();   // controls; branches
let lit = new Set();

function show() {
  const next = new Set(held);
  for (const control of pressed) for (const element of control.lights) next.add(element);
  for (const element of lit) if (!next.has(element)) element.classList.remove('on');
  for (const element of next) if (!lit.has(element)) element.classList.add('on');
  lit = next;
  for (const control of controls) control.button.setAttribute('aria-pressed', String(pressed.has(control)));
  for (const g of branches) g.setAttribute('aria-pressed', String(held.has(g)));
  const any = pressed.size + held.size > 0;
  if (picture) picture.classList.toggle('lit', any);
  for (const button of all('button.release')) button.hidden = !any;
  say();
  document.dispatchEvent(new CustomEvent('sfg-lit', { detail: any }));
}

// ---- what is said: what is pressed, and which loops touch

const listed = words => words.length < 2 ? words.join('') : words.slice(0, -1).join(', ') + ' and ' + words[words.length - 1];
const shared = (a, b) => [...a.nodes].filter(node => b.nodes.has(node)).map(node => names[node]);

function touching(loops) {
  const touch = [], apart = [];
  for (let i = 0; i < loops.length; ++i) for (let k = i + 1; k < loops.length; ++k)
    (shared(loops[i], loops[k]).length ? touch : apart).push(`${loops[i].label} and ${loops[k].label}`);
  if (loops.length === 2) {
    const common = shared(loops[0], loops[1]);
    return common.length ? `${touch[0]} touch: they share ${listed(common)}.` : `${apart[0]} do not touch: they share no node.`;
  }
  if (!touch.length) return `No two of ${loops.length} loops touch.`;
  if (!apart.length) return `Every two of ${loops.length} loops touch.`;
  const named = apart.length <= 4 ? `: ${apart.join('; ')}` : '';
  return `Of ${touch.length + apart.length} pairs of loops ${touch.length} touch, ${apart.length} do not${named}.`;
}

function say() {
  const said = document.querySelector('p.said');
  if (!said) return;
  const loops = controls.filter(control => control.kind === 'data-loop' && pressed.has(control));
  const several = new Set(controls.filter(control => control.transfer !== null).map(control => control.transfer)).size > 1;
  const labels = controls.filter(control => pressed.has(control)).map(control => control.label + (several && control.transfer !== null ? ` of ${control.transfer}` : ''));
  const shown = labels.length > 8 ? labels.slice(0, 7).concat(`${labels.length - 7} more`) : labels;
  const titles = [...held].map(g => (g.querySelector('title') || g).textContent);
  let text = held.size ? `${listed(titles.slice(0, 3))}${titles.length > 3 ? ' …' : ''} ${labels.length ? 'in ' : 'in no path or loop.'}` : '';
  const pair = labels.length === 2 && loops.length === 2 && !held.size;   // the line on touching names both
  if (labels.length && !pair) text += `${listed(shown)}.`;
  if (loops.length > 1 && loops.length < 400) text += ' ' + touching(loops);
  said.textContent = text.trim();
  if (loops.length === 2) said.setAttribute('data-touching', shared(loops[0], loops[1]).length ? 'yes' : 'no'); else said.removeAttribute('data-touching');
}

// ---- what the reader does

function press(control) {
  pressed.has(control) ? pressed.delete(control) : pressed.add(control);
  show();
}
function pressBranch(g) {
  if (held.delete(g)) {
    const kept = new Set([...held].flatMap(other => usersOf.get(other)));
    for (const control of usersOf.get(g)) if (!kept.has(control)) pressed.delete(control);
  } else {
    held.add(g);
    for (const control of usersOf.get(g)) pressed.add(control);
  }
  show();
}
function release() {
  if (!pressed.size && !held.size) return;
  pressed.clear();
  held.clear();
  show();
}

// A line is thin: what is pressed beside it means the nearest branch within reach. The courses are looked at once.
const reach = 9;
let courses = null;
function nearest(event) {
  const matrix = picture.getScreenCTM();
  if (!matrix) return null;
  courses ||= branches.map(g => {
    const path = g.querySelector('path.branch'), length = path.getTotalLength(), count = Math.max(8, Math.ceil(length / 6));
    return Array.from({ length: count + 1 }, (_, i) => path.getPointAtLength(length * i / count));
  });
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
  let best = null, far = reach / matrix.a;
  courses.forEach((points, i) => { for (const point of points) { const d = Math.hypot(point.x - at.x, point.y - at.y); if (d < far) { far = d; best = branches[i]; } } });
  return best;
}

document.addEventListener('click', event => {
  const button = event.target.closest('button');
  if (button && controlOf.has(button)) press(controlOf.get(button));
  else if (button && button.matches('button.release')) release();
  else if (picture && picture.contains(event.target)) {
    const g = event.target.closest('g.branch') || nearest(event);
    if (g) pressBranch(g);
  }
});
document.addEventListener('keydown', event => {
  if (event.key === 'Escape') release();
  const g = event.target.closest && event.target.closest('g.branch');
  if (!g || !usersOf.has(g) || event.repeat || (event.key !== 'Enter' && event.key !== ' ')) return;
  event.preventDefault();
  pressBranch(g);
});
if (picture) picture.addEventListener('pointermove', event => {
  picture.style.cursor = event.target.closest('g.branch') || nearest(event) ? 'pointer' : '';
});
})();
