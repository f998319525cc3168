// What every report has: copying, the graph that stays in sight while something lights up in it, boxes that scroll by keyboard.
(() => {
'use strict';
const all = (selector, root = document) => [...root.querySelectorAll(selector)];

// ---- copying

const told = document.querySelector('p.told');
let forgetting = 0;
function tell(text) {
  told.textContent = text;
  clearTimeout(forgetting);
  forgetting = setTimeout(() => { told.textContent = ''; }, 2500);
}
function copiedBySelection(text) {
  const field = document.createElement('textarea'), before = document.activeElement;
  field.value = text;
  field.className = 'copied';
  document.body.append(field);
  field.select();
  let done = false;
  try { done = document.execCommand('copy'); } catch { done = false; }
  field.remove();
  if (before) before.focus({ preventScroll: true });
  return done;
}
async function copy(button) {
  const text = button.value, words = button.textContent.trim();
  let done = false;
  try { await navigator.clipboard.writeText(text); done = true; } catch { done = copiedBySelection(text); }
  tell(done ? `Copied ${words}.` : 'The browser does not let pages copy.');
}
document.addEventListener('click', event => {
  const button = event.target.closest('button[data-copy]');
  if (button) copy(button);
});

// ---- the graph stays in sight while something lights up in it: at the top of the window when its own place is not seen

const figure = document.querySelector('#graph figure.drawn'), place = figure && figure.parentElement;
let lights = false, seen = true;
function dock() {
  const docked = lights && !seen;
  if (docked === figure.classList.contains('docked')) return;
  if (docked) {
    const box = place.getBoundingClientRect();
    place.style.minHeight = `${box.height}px`;
    figure.style.left = `${box.left}px`;
    figure.style.width = `${box.width}px`;
  } else {
    place.style.minHeight = figure.style.left = figure.style.width = '';
  }
  figure.classList.toggle('docked', docked);
  document.documentElement.style.scrollPaddingTop = docked ? `${figure.offsetHeight + 12}px` : '';
}
if (figure) {
  new IntersectionObserver(entries => { seen = entries[entries.length - 1].intersectionRatio > 0.4; dock(); }, { threshold: [0, 0.4, 1] }).observe(place);
  document.addEventListener('sfg-lit', event => { lights = event.detail; dock(); });
  addEventListener('resize', () => { if (figure.classList.contains('docked')) { lights = false; dock(); lights = true; dock(); } });
}

// ---- boxes that scroll can be reached and have a name

const scrolling = all('.equation, .table, .picture, .formula, .gain, pre, :is(p, h3, h4, figcaption):has(> math)');
function name(box) {
  const heading = box.closest('section') && box.closest('section').querySelector('h2');
  const what = box.matches('.picture') ? 'picture' : box.matches('.table') ? 'table' : box.matches('pre') ? 'text' : 'formula';
  return `${heading ? heading.textContent + ': ' : ''}${what}, scrolls sideways`;
}
const reachable = box => {
  if (box.scrollWidth > box.clientWidth + 1) {
    box.tabIndex = 0;
    box.setAttribute('role', 'group');
    box.setAttribute('aria-label', name(box));
  } else if (box.tabIndex === 0) {
    for (const attribute of ['tabindex', 'role', 'aria-label']) box.removeAttribute(attribute);
  }
};
const watching = new ResizeObserver(entries => { for (const entry of entries) reachable(entry.target); });
for (const box of scrolling) watching.observe(box);

// ---- on paper everything is unfolded

let folded = [];
addEventListener('beforeprint', () => { folded = all('details:not([open]):not(.long)'); for (const box of folded) box.open = true; });
addEventListener('afterprint', () => { for (const box of folded) box.open = false; folded = []; });

// ---- the contents show where the reader is

const links = new Map(all('nav a[href^="#"]').map(a => [document.getElementById(a.getAttribute('href').slice(1)), a]));
const within = new Set();
const reading = new IntersectionObserver(entries => {
  for (const entry of entries) entry.isIntersecting ? within.add(entry.target) : within.delete(entry.target);
  let first = true;
  for (const [section, link] of links) {
    const here = first && within.has(section);
    if (here) first = false;
    here ? link.setAttribute('aria-current', 'true') : link.removeAttribute('aria-current');
  }
}, { rootMargin: '-20% 0px -60% 0px' });
for (const section of links.keys()) if (section) reading.observe(section);
})();
