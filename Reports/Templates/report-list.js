// The list: only the rows in sight are in the document, and the one that has the focus.
const rowsBox = made('div', 'rows');
const drawn = new Map();
const tallest = 16000000;
let rowHeight = 30;
let room = 0;
let opened = -1;
let openedHeight = 0;
let active = -1;
const places = () => Math.min(shown.length, Math.floor(tallest / rowHeight));
const topOf = (place) =>
  place * rowHeight + (opened >= 0 && place > opened ? openedHeight : 0);
const placeAt = (pixels) => {
  if (opened >= 0 && pixels > (opened + 1) * rowHeight) {
    return Math.max(opened, Math.floor((pixels - openedHeight) / rowHeight));
  }
  return Math.floor(pixels / rowHeight);
};
const keyNodes = (title) => {
  const key = made('span', 'key');
  const end = title.lastIndexOf('/', title.length - 2) + 1;
  const start = title.indexOf('/') + 1;
  key.title = title;
  if (start > 0 && start < end) {
    key.append(made('bdi', 'level', title.slice(0, start)),
      made('bdi', 'middle', title.slice(start, end)), made('bdi', 'name', title.slice(end)));
  } else {
    key.append(made('bdi', 'name', title));
  }
  return key;
};
const rowNode = (place) => {
  const row = shown[place];
  const [id, title, record] = textsOf(row);
  const severity = meta.severities[all.severity[row]];
  const node = made('div', 'row ' + severity);
  node.setAttribute('role', 'listitem');
  node.setAttribute('aria-setsize', shown.length);
  node.setAttribute('aria-posinset', place + 1);
  const line = made('button', 'line');
  line.type = 'button';
  line.tabIndex = place === Math.max(0, active) ? 0 : -1;
  line.setAttribute('aria-expanded', place === opened);
  const what = made('span', 'what', kindNames[all.kind[row]]);
  const cause = causeNames[all.cause[row]];
  if (cause) what.append(' \u00B7 ', made('b', '', cause));
  const verdict = verdictNames[all.verdict[row]];
  const outcome = meta.outcomes[all.outcome[row]];
  if (outcome || verdict !== 'settled') what.append(' \u00B7 ' + (outcome || verdict));
  const bytes = all.bytes[row];
  const time = all.time[row];
  const old = made('span', 'age', Number.isNaN(time) ? '' : age(meta.end - time));
  if (!Number.isNaN(time)) old.title = moment(time);
  line.append(made('span', 'severity', severity), what, keyNodes(title),
    made('span', 'record', record === title ? '' : record),
    made('span', 'bytes', Number.isNaN(bytes) ? '' : size(bytes)), old);
  line.addEventListener('click', () => toggle(place));
  line.addEventListener('focus', () => { active = place; });
  node.append(line);
  node.dataset.id = id;
  return node;
};
const draw = () => {
  const above = rowsBox.getBoundingClientRect().top;
  const from = Math.max(0, placeAt(-above) - 10);
  const to = Math.min(places(), Math.max(20, placeAt(innerHeight - above) + 10));
  // Where the keyboard enters the list is always there.
  const reached = Math.max(0, active);
  for (const [place, node] of drawn) {
    const isKept = (place >= from && place < to) || place === opened || place === reached;
    if (isKept && place < places()) continue;
    node.remove();
    drawn.delete(place);
  }
  const wanted = new Set([opened, reached].filter((place) => place >= 0 && place < places()));
  for (let place = from; place < to; place += 1) wanted.add(place);
  for (const place of wanted) {
    if (drawn.has(place)) continue;
    const node = rowNode(place);
    const next = [...drawn.keys()].filter((other) => other > place)
      .reduce((least, other) => Math.min(least, other), Infinity);
    drawn.set(place, node);
    rowsBox.insertBefore(node, drawn.get(next) || null);
  }
  for (const [place, node] of drawn) node.style.transform = 'translateY(' + topOf(place) + 'px)';
  const height = places() * rowHeight + openedHeight;
  if (height !== room) {
    room = height;
    rowsBox.style.height = height + 'px';
  }
};
let isWaiting = false;
const later = () => {
  if (isWaiting) return;
  isWaiting = true;
  requestAnimationFrame(() => {
    isWaiting = false;
    draw();
  });
};
const redrawn = () => {
  for (const node of drawn.values()) node.remove();
  drawn.clear();
  draw();
};

// One finding, opened below its row.
const observer = new ResizeObserver((entries) => {
  for (const entry of entries) openedHeight = entry.target.offsetHeight;
  later();
});
const copied = async (button, text) => {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const box = made('textarea', 'offside', text);
    document.body.append(box);
    box.select();
    document.execCommand('copy');
    box.remove();
    button.focus();
  }
  const name = button.textContent;
  button.textContent = 'copied';
  setTimeout(() => { button.textContent = name; }, 1200);
};
const copying = (label, text) => {
  const button = made('button', 'chip', label);
  button.type = 'button';
  button.addEventListener('click', () => copied(button, text));
  return button;
};
const panelOf = async (row) => {
  const panel = made('div', 'panel');
  const [id, title] = textsOf(row);
  let whole;
  try {
    whole = await wholeOf(row);
  } catch (error) {
    panel.append(made('p', '', 'This finding cannot be unpacked here: ' + error));
    return panel;
  }
  const heading = made('p');
  heading.append(made('code', '', title));
  panel.append(heading);
  const why = whole.facts.find((fact) => fact[0] === 'why');
  const told = made('ul', 'evidence');
  for (const text of why ? why.slice(2) : []) told.append(made('li', '', text));
  const kind = meta.kinds[all.kind[row]];
  const cause = meta.causes[all.cause[row]];
  const verdict = meta.verdicts[all.verdict[row]];
  const meaning = made('p', 'meaning');
  for (const word of [kind, cause, verdict]) {
    if (!word) continue;
    meaning.append(made('b', '', word.name), ' ' + word.meaning + ' ');
  }
  panel.append(meaning);
  if (told.childNodes.length) panel.append(told);
  const facts = made('dl');
  for (const [label, isForeign, ...lines] of whole.facts) {
    if (label === 'why') continue;
    facts.append(made('dt', '', label));
    for (const line of lines) {
      const value = made('dd');
      value.append(isForeign ? made('code', '', line) : line);
      facts.append(value);
    }
  }
  panel.append(facts, made('p', 'advice', kind.advice));
  const address = location.href.split('#')[0] + addressOf({ f: id });
  const link = made('a', '', 'Link to this finding');
  link.href = addressOf({ f: id });
  const command = made('p');
  command.append(made('code', '', whole.command), ' ', copying('copy command', whole.command));
  const links = made('p');
  links.append(link, ' ', copying('copy link', address));
  if (whole.finding) links.append(' ', copying('copy JSON', JSON.stringify(whole.finding)));
  panel.append(command, links);
  return panel;
};
const close = () => {
  const node = drawn.get(opened);
  opened = -1;
  openedHeight = 0;
  observer.disconnect();
  asked.f = '';
  if (!node) return;
  node.querySelector('.line').setAttribute('aria-expanded', false);
  const panel = node.querySelector('.panel');
  if (panel) panel.remove();
};
let opening = 0;
const open = async (place) => {
  const turn = ++opening;
  const panel = await panelOf(shown[place]);
  if (turn !== opening || place >= places()) return;
  close();
  opened = active = place;
  draw();
  const node = drawn.get(place);
  node.append(panel);
  node.querySelector('.line').setAttribute('aria-expanded', true);
  openedHeight = panel.offsetHeight;
  observer.observe(panel);
  asked.f = node.dataset.id;
  writeAddress();
  draw();
};
const toggle = (place) => {
  if (place !== opened) return open(place);
  opening += 1;
  close();
  writeAddress();
  draw();
  return undefined;
};
const show = (place, isCentred) => {
  const above = rowsBox.getBoundingClientRect().top;
  const bar = tools.getBoundingClientRect().height;
  const top = above + topOf(place);
  if (isCentred || top < bar) {
    scrollBy({ top: top - bar - (isCentred ? 40 : 0), behavior: 'instant' });
  } else if (top + rowHeight > innerHeight) {
    scrollBy({ top: top + rowHeight - innerHeight, behavior: 'instant' });
  }
};
const go = (place, isCentred) => {
  if (!places()) return;
  const was = drawn.get(active);
  if (was) was.querySelector('.line').tabIndex = -1;
  active = Math.max(0, Math.min(places() - 1, place));
  show(active, isCentred);
  draw();
  const line = drawn.get(active).querySelector('.line');
  line.tabIndex = 0;
  line.focus({ preventScroll: true });
};
