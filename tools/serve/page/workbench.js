'use strict';
// The page of the workbench. What comes from the model is only ever text (textContent, value); its report stands in a frame
// without an origin, which can reach nothing.
const at = id => document.getElementById(id);
const store = 'sfg workbench ' + location.pathname;      // each run of the server begins anew; a reload goes on
const asker = Math.random().toString(36).slice(2, 12);    // which page asks
const tabs = [['Everything', ''], ['Diagram', 'graph'], ['Derivation', 'graph,mason'], ['Formulas', 'equations,transfer'],
  ['Plots', 'poles,frequency,time'], ['Sensitivities', 'sensitivity'], ['Reduction', 'reduction'], ['Verification', 'verification,reproduce']];
const fields = ['text', 'format', 'name', 'from', 'to', 'set', 'title'];
let sections = '', started = 0, timer = 0, problems = [];
let view = 'picture';

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

// --- questions

/** The page as it stands now: one study is about one text, however fast one types on. */
function question() {
  const list = id => at(id).value.split(';').map(word => word.trim()).filter(word => word);
  const setting = word => word.replace(/\s*=\s*/, '=');
  return { page: asker, text: at('text').value, format: at('format').value, name: at('name').value, from: list('from'),
    to: list('to'), set: list('set').map(setting), inject: at('inject').checked, linearize: at('linearize').checked, title: at('title').value,
    ...(measured ? { data: measured, decimal_comma: at('decimal_comma').checked } : {}) };
}

/** What was measured, a table: chosen, or dropped on the page. Its points stand in the report and in downloads. */
let measured = '';
async function measure(file) {
  measured = file ? await file.text() : '';
  at('unmeasured').hidden = !measured;
  at('unmeasured').textContent = file ? 'without ' + file.name : '';
  if (!file) at('measured').value = '';
  else shown('report');
  soon(0);
}
at('measured').addEventListener('change', () => measure(at('measured').files[0]));
at('unmeasured').addEventListener('click', () => measure(null));
addEventListener('dragover', event => { if (event.dataTransfer.types.includes('Files')) event.preventDefault(); });
addEventListener('drop', event => {
  const file = event.dataTransfer.files[0];
  if (!file) return;
  event.preventDefault();
  if (/\.(csv|txt)$/i.test(file.name)) measure(file);
  else file.text().then(text => { begin(file.name, text); soon(0); });
});

function post(asked) {
  const body = new Blob([JSON.stringify(asked)], { type: 'application/json' });
  if (body.size > 1 << 20) throw new Error('the model is larger than 1 MiB; shorten it');
  return fetch('ask', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
}

async function ask(asked) {
  const response = await post(asked);
  const reply = await response.json();
  if (reply.error) throw new Error(reply.error.message + '; ' + reply.error.hint);
  return reply;
}

/** Everything about the text as it stands: what is wrong with it, the transfer functions, the report. */
async function study() {
  const mine = ++started, overtaken = () => mine !== started, asked = question();
  save();
  if (!at('text').value.trim()) {
    show([]);
    picture.frame.replaceChildren();
    picture.graph = picture.svg = picture.source = null;
    at('answer').replaceChildren();
    at('verdict').textContent = 'Type a model, or choose an example.';
    return;
  }
  at('verdict').textContent = 'checking …';
  try {
    const drawn = draw(asked);
    const check = await ask({ ...asked, kind: 'check' });
    if (overtaken() || check.stopped) return;
    show(check.problems);
    const wrong = check.problems.filter(problem => problem.severity === 'error').length;
    at('verdict').textContent = wrong ? (wrong === 1 ? '1 error' : wrong + ' errors') + '; what stands at the right is of the last good text' : 'read as ' + check.format + ': no errors';
    at('frames').classList.toggle('stale', wrong > 0);
    picture.frame.classList.toggle('stale', wrong > 0);
    await drawn;
    if (wrong || overtaken()) return;
    await Promise.all([transfers(asked, overtaken), report({ ...asked, sections }, overtaken)]);
  } catch (error) {
    if (!overtaken()) at('verdict').textContent = 'No answer: ' + error.message + (error instanceof TypeError ? '. Is sfg serve still running?' : '');
  }
}

/** The picture of a text, and what may be done to it. A text with errors leaves the last one. */
let drawings = 0, newest = Promise.resolve();
/** Done when the newest picture is shown, whoever asked for it. */
function draw(asked) {
  const mine = ++drawings;
  newest = (async () => {
    const [drawing, structure] = await Promise.all([ask({ ...asked, kind: 'picture' }), ask({ ...asked, kind: 'structure' })]);
    if (mine !== drawings) return newest;
    if (drawing.stopped || structure.stopped) return;
    if (drawing.output === undefined) {
      const wrong = drawing.problems.find(p => p.severity === 'error');
      if (wrong && !wrong.line) at('state').textContent = 'no picture: ' + wrong.message;
      return;
    }
    const editable = drawing.format === 'dot';
    at('as-graph').hidden = editable;
    at('new-node').disabled = !editable;
    picture.show(drawing.output, structure.output === undefined ? null : JSON.parse(structure.output), editable);
  })();
  return newest;
}

async function transfers(asked, overtaken) {
  const reply = await ask({ ...asked, kind: 'answer' });
  if (overtaken() || reply.stopped) return;
  const line = text => element('li', {}, element('code', { textContent: text }));
  if (reply.output === undefined) return at('answer').replaceChildren(...reply.problems.filter(p => p.severity === 'error').map(p => line('no transfer function: ' + p.message)));
  const answers = JSON.parse(reply.output).transfers || [];
  at('answer').replaceChildren(...answers.map(t => {
    const item = line(t.output + ' / ' + t.input + ' = ' + t.expression);
    const copy = element('button', { type: 'button', textContent: 'copy', onclick: () => navigator.clipboard.writeText(t.expression) });
    copy.setAttribute('aria-label', 'copy the transfer function from ' + t.input + ' to ' + t.output);
    item.append(copy);
    return item;
  }));
}

let said = '';  // of reports
async function report(asked, overtaken) {
  const begun = performance.now();
  const say = text => { if (['', said].includes(at('state').textContent)) at('state').textContent = said = text; };  // what others said stays
  const clock = setInterval(() => say('making the report, ' + Math.round((performance.now() - begun) / 1000) + ' s …'), 1000);
  try {
    const reply = await ask({ ...asked, kind: 'report' });
    if (overtaken() || reply.stopped) return;
    const known = new Set(problems.map(p => JSON.stringify(p)));
    show([...problems, ...reply.problems.filter(p => !known.has(JSON.stringify(p)))]);
    const wrong = reply.problems.find(p => p.severity === 'error');
    say(reply.page ? '' : 'no report: ' + (wrong ? wrong.message : 'status ' + reply.status));
    at('frames').classList.toggle('stale', !reply.page);
    if (reply.page) frame(reply.page);
  } finally {
    clearInterval(clock);
    if (said.startsWith('making')) say('');
  }
}

// --- the frame: a new report comes behind the old one and takes its place, scrolled as that was

let scrolled = [0, 0];
function frame(address) {
  at('frames').querySelectorAll('.coming').forEach(old => old.remove());
  const next = element('iframe', { className: 'coming', title: 'Report', src: address });
  next.setAttribute('sandbox', 'allow-scripts');
  next.setAttribute('allow', 'clipboard-write *');
  next.onload = () => {
    next.contentWindow.postMessage({ scroll: scrolled }, '*');
    at('frames').querySelectorAll('iframe').forEach(old => { if (old !== next) old.remove(); });
    next.classList.remove('coming');
  };
  at('frames').append(next);
  at('alone').href = address;
  at('alone').hidden = false;
}
addEventListener('resize', () => picture.fitted && picture.fit());
addEventListener('message', event => {
  const shown = at('frames').querySelector('iframe:not(.coming)');
  if (shown && event.source === shown.contentWindow && event.data && Array.isArray(event.data.scroll)) scrolled = event.data.scroll.map(Number);
});

// --- the editor

function show(list) {
  problems = list;
  at('problems').replaceChildren(...list.map(problem => {
    const elsewhere = problem.file === 'measured.csv';
    const place = problem.line ? (elsewhere ? 'measured data, ' : '') + 'line ' + problem.line + (problem.column ? ':' + problem.column : '') + ': ' : '';
    const go = element('button', { type: 'button', textContent: place + problem.severity + ': ' + problem.message, onclick: () => elsewhere || goTo(problem) });
    return element('li', { className: problem.severity }, go);
  }));
  mark();
}

function lines() { return at('text').value.split('\n'); }

function mark() {
  const worst = new Map();
  for (const { file, line, severity, message } of problems) if (line && file !== 'measured.csv' && severity !== 'note' && (worst.get(line) || {}).severity !== 'error') worst.set(line, { severity, message });
  const height = 20, numbers = [];
  for (let line = 1; line <= lines().length; ++line) {
    const wrong = worst.get(line);
    numbers.push(element('span', { textContent: line, className: wrong ? wrong.severity : '', title: wrong ? wrong.message : '' }));
  }
  at('numbers').replaceChildren(...numbers);
  at('marks').replaceChildren(...[...worst].map(([line, { severity }]) => {
    const strip = element('div', { className: severity });
    strip.style.top = (line - 1) * height + 'px';
    return strip;
  }));
  at('text').setAttribute('aria-invalid', String([...worst.values()].some(w => w.severity === 'error')));
  follow();
}

function follow() {
  at('numbers').scrollTop = at('text').scrollTop;
  at('marks').style.transform = 'translateY(' + -at('text').scrollTop + 'px)';
}

/** Line and column count characters as the command does, not the halves of a pair in UTF-16. */
function goTo({ line, column }) {
  const text = at('text');
  text.focus();
  if (!line) return;
  const before = lines().slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0);
  const place = before + [...(lines()[line - 1] || '')].slice(0, Math.max(0, column - 1)).join('').length;
  text.setSelectionRange(place, place);
  text.scrollTop = Math.max(0, (line - 6) * 20);
}

let leaving = false;
at('text').addEventListener('keydown', event => {
  if (event.key === 'Escape') leaving = true;
  else if (event.key === 'Tab' && !event.shiftKey && !leaving && !event.ctrlKey && !event.altKey) {
    event.preventDefault();
    if (!document.execCommand('insertText', false, '  ')) at('text').setRangeText('  ', at('text').selectionStart, at('text').selectionEnd, 'end');
  } else if (event.key !== 'Tab' && event.key !== 'Shift') leaving = false;
});
at('text').addEventListener('blur', () => { leaving = false; });
at('text').addEventListener('scroll', follow);
at('text').addEventListener('input', () => { remember(true); mark(); soon(); });
at('text').addEventListener('keydown', event => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 'z') return;
  event.preventDefault();
  back(event.shiftKey);
});

function soon(wait = 300) {
  save();
  clearTimeout(timer);
  timer = setTimeout(study, typeof wait === 'number' ? wait : 300);
}

// --- one history for the text, whoever changed it

const past = [], future = [];
let last = '', typed = 0;
/** Keys in quick succession are one step. */
function remember(typing) {
  const text = at('text').value;
  if (text === last) return;
  at('state').textContent = '';  // it was about another text
  if (!typing || performance.now() - typed > 700) past.push(last);
  if (past.length > 500) past.shift();
  typed = typing ? performance.now() : 0;
  last = text;
  future.length = 0;
  buttons();
}
function buttons() {
  at('undo').disabled = !past.length;
  at('redo').disabled = !future.length;
}
async function back(forward) {
  await picture.settle();
  await editing;
  const [from, to] = forward ? [future, past] : [past, future];
  if (!from.length) return;
  to.push(last);
  replace(from.pop());
  typed = 0;
  buttons();
}
/** Another text in the editor, which keeps its place. */
function replace(text) {
  const scroll = at('text').scrollTop;
  at('text').value = last = text;
  at('state').textContent = '';
  at('text').scrollTop = scroll;
  mark();
  soon(0);
}

// --- the picture changes the text

let editing = Promise.resolve(true), chosen = '';
const picture = new Picture(at('picture'), {
  edit: (words, then = {}) => editing = editing.then(() => edit(words, then)),
  undo: forward => back(forward),
  gain: () => { at('gain').focus(); at('gain').select(); },
  chosen: what => {
    const branch = what && what.branch !== undefined && picture.graph && picture.graph.branches[what.branch];
    const gain = branch ? branch.gain || branch.nonlinear || '' : '', now = JSON.stringify([what, gain]);
    if (now !== chosen) at('gain').value = gain;  // what is being typed outlasts a picture that follows
    chosen = now;
    at('gain').disabled = !branch || !picture.editable;
    at('delete').disabled = !what || !picture.editable;
  },
});
/** The text with the changes; what is typed meanwhile stays, and the changes are made to that. */
async function edit(words, then) {
  try {
    for (;;) {
      const asked = question(), reply = await ask({ ...asked, kind: 'edit', edits: words });
      if (at('text').value !== asked.text) continue;
      if (reply.output === undefined) {
        const wrong = (reply.problems || []).find(p => p.severity === 'error');
        at('state').textContent = 'not changed: ' + (wrong ? wrong.message : 'status ' + reply.status);
        return false;
      }
      const scroll = at('text').scrollTop;
      at('text').value = reply.output;
      at('text').scrollTop = scroll;
      remember(false);
      mark();
      Object.assign(picture, then);
      await draw(question());
      soon(150);
      return true;
    }
  } catch (error) {
    at('state').textContent = 'not changed: ' + error.message;
    return false;
  }
}
function writeGain() {
  const what = picture.choice, branch = what && what.branch !== undefined && picture.graph && picture.graph.branches[what.branch];
  const gain = at('gain').value.trim();
  if (!branch || !gain || gain === (branch.gain || branch.nonlinear)) return;
  picture.owner.edit(['gain ' + what.branch + ' = ' + gain]);
}
at('gain').addEventListener('keydown', event => { if (event.key === 'Enter') { event.preventDefault(); writeGain(); } });
at('gain').addEventListener('change', writeGain);
at('new-node').addEventListener('keydown', async event => {
  const name = at('new-node').value.trim();
  if (event.key !== 'Enter' || !name) return;
  event.preventDefault();
  if (!await picture.owner.edit(['node ' + named(name)])) return;
  at('new-node').value = '';
  picture.choose({ node: name });
});
at('delete').addEventListener('click', () => picture.erase());
at('undo').addEventListener('click', () => back(false));
at('redo').addEventListener('click', () => back(true));
at('smaller').addEventListener('click', () => picture.zoom(1 / 1.25));
at('larger').addEventListener('click', () => picture.zoom(1.25));
at('fit').addEventListener('click', () => picture.fit());
at('as-graph').addEventListener('click', async () => {
  const response = await post({ ...question(), kind: 'graph.dot' });
  if (!response.ok) return void (at('state').textContent = 'the model has no graph yet: mend its errors first');
  const text = await response.text();
  at('format').value = 'dot';
  replaceAll(text);
});
function replaceAll(text) {
  at('text').value = text;
  remember(false);
  show([]);
  soon(0);
}
for (const button of document.querySelectorAll('[data-save]'))
  button.addEventListener('click', () => {
    const kind = button.dataset.save, own = kind === 'dot' ? picture.editable : at('format').value === 'toml';
    if (own) handOver(new Blob([at('text').value], { type: 'text/plain' }), (at('name').value || 'model') + '.' + kind);
    else download('graph.' + kind);
  });
function shown(wanted) {
  view = wanted;
  at('stage').classList.toggle('report', wanted === 'report');
  at('tools').hidden = wanted === 'report';
  at('tabs').hidden = wanted !== 'report';
  for (const name of ['picture', 'report']) at('view-' + name).setAttribute('aria-pressed', String(name === wanted));
}
at('view-picture').addEventListener('click', () => shown('picture'));
at('view-report').addEventListener('click', () => shown('report'));

// --- what the page holds

function save() {
  try {
    sessionStorage.setItem(store, JSON.stringify({ view, sections, inject: at('inject').checked, linearize: at('linearize').checked, ...Object.fromEntries(fields.map(id => [id, at(id).value])) }));
  } catch { /* a text too large for it is not kept over a reload */ }
}

function begin(file, text) {
  const [, name, extension] = /^(.*?)(?:\.([^.]*))?$/s.exec(file);
  const formats = { dot: 'dot', gv: 'dot', toml: 'toml', m: 'm', json: 'json', sfg: 'sfg', cir: 'spice', sp: 'spice', net: 'spice', ckt: 'spice' };
  at('text').value = text;
  at('name').value = name.replace(/[^A-Za-z0-9_-]/g, '_');
  at('format').value = formats[(extension || '').toLowerCase()] || '';
  for (const id of ['from', 'to', 'set', 'title']) at(id).value = '';
  at('inject').checked = at('linearize').checked = false;
  scrolled = [0, 0];
  picture.view = null;
  remember(false);
  show([]);
}

function press(wanted) {
  sections = wanted;
  for (const button of at('tabs').children) button.setAttribute('aria-pressed', String(button.value === sections));
}

function grouped(select, entries) {
  const groups = new Map();
  for (const { group, value, label } of entries) {
    if (!groups.has(group)) groups.set(group, element('optgroup', { label: group }));
    groups.get(group).append(element('option', { value, textContent: label }));
  }
  select.append(...groups.values());
}

function handOver(blob, name) {
  const link = element('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  at('state').textContent = name + ' is downloaded';
}
async function download(kind) {
  at('state').textContent = 'making the file …';
  try {
    const response = await post({ ...question(), kind });
    if (!response.ok) {
      const reply = await response.json();
      const wrong = (reply.problems || []).filter(p => p.severity === 'error').map(p => p.message).join('; ');
      at('state').textContent = 'no file: ' + (wrong || (reply.error ? reply.error.message : 'status ' + reply.status));
      return;
    }
    const name = /filename="([^"]*)"/.exec(response.headers.get('Content-Disposition') || '');
    handOver(await response.blob(), name ? name[1] : 'answer');
  } catch (error) {
    at('state').textContent = 'no file: ' + error.message;
  }
}
at('download').addEventListener('submit', event => {
  event.preventDefault();
  download(at('kind').value);
});

async function fill() {
  const beginning = await (await fetch('beginning')).json();
  grouped(at('example'), beginning.examples.map((e, i) => ({ group: e.kind, value: String(i), label: e.file })));
  grouped(at('kind'), beginning.downloads.map(d => ({ group: d.group, value: d.kind, label: d.label })));
  for (const [label, wanted] of tabs) at('tabs').append(element('button', { type: 'button', value: wanted, textContent: label, onclick: () => { press(wanted); scrolled = [0, 0]; soon(); } }));
  press('');
  shown('picture');
  const kept = sessionStorage.getItem(store);
  if (kept) {
    const was = JSON.parse(kept);
    for (const id of fields) at(id).value = was[id] || '';
    for (const id of ['inject', 'linearize']) at(id).checked = Boolean(was[id]);
    press(tabs.some(([, wanted]) => wanted === was.sections) ? was.sections : '');
    shown(was.view === 'report' ? 'report' : 'picture');
    last = at('text').value;
    mark();
  } else {
    last = beginning.start ? beginning.start.text : beginning.examples[0].text;
    begin(...(beginning.start ? [beginning.start.file, beginning.start.text] : [beginning.examples[0].file, beginning.examples[0].text]));
  }
  at('example').addEventListener('change', () => {
    const chosen = beginning.examples[Number(at('example').value)];
    if (at('example').value === '' || !chosen) return;
    begin(chosen.file, chosen.text);
    soon();
  });
  for (const id of ['format', 'name', 'from', 'to', 'set', 'title', 'inject', 'linearize', 'decimal_comma']) at(id).addEventListener('input', () => soon());
  document.documentElement.dataset.ready = 'yes';
  study();
}
fill();
