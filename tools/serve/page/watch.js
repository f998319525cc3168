'use strict';
// The page around a report that is watched: asks for the next state, which is answered when there is one.
const at = id => document.getElementById(id);
let shown = '', scrolled = [0, 0];

function frame(address) {
  shown = address;
  at('frames').querySelectorAll('.coming').forEach(old => old.remove());
  const next = document.createElement('iframe');
  next.className = 'coming';
  next.title = 'Report';
  next.setAttribute('sandbox', 'allow-scripts');
  next.setAttribute('allow', 'clipboard-write *');
  next.src = address;
  next.onload = () => {
    next.contentWindow.postMessage({ scroll: scrolled }, '*');
    at('frames').querySelectorAll('iframe').forEach(old => { if (old !== next) old.remove(); });
    next.classList.remove('coming');
  };
  at('frames').append(next);
}
addEventListener('message', event => {
  const now = at('frames').querySelector('iframe:not(.coming)');
  if (now && event.source === now.contentWindow && event.data && Array.isArray(event.data.scroll)) scrolled = event.data.scroll.map(Number);
});

function show(state) {
  document.title = (state.good ? '' : '✗ ') + state.input + ' – sfg report';
  at('input').textContent = state.input;
  at('state').textContent = state.making && !state.revision ? 'the report is being made …'
    : state.good ? 'made ' + new Date().toLocaleTimeString()
    : state.page ? 'cannot be made; below is the last good report' : 'cannot be made';
  document.querySelector('header').classList.toggle('bad', state.revision > 0 && !state.good);
  at('problems').replaceChildren(...state.problems.map(({ severity, file, line, column, message }) => {
    const item = document.createElement('li');
    item.className = severity;
    item.textContent = [file, line || '', line && column || ''].filter(part => part !== '').join(':') + (file ? ': ' : '') + severity + ': ' + message;
    return item;
  }));
  if (state.page && state.page !== shown) frame(state.page);
}

async function follow() {
  for (let known = 0, failures = 0; ;) {
    try {
      const response = await fetch('state/' + known);
      if (!response.ok) throw new Error('status ' + response.status);
      const state = await response.json();
      failures = 0;
      if (state.revision !== known || known === 0) show(state);
      known = state.revision;
    } catch {
      if (++failures > 2) at('state').textContent = 'sfg report --watch has ended; what stands below is its last report';
      await new Promise(resolve => setTimeout(resolve, failures < 10 ? 500 : 5000));
    }
  }
}
follow();
