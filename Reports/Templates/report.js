// Replaces the list of the first findings by one of all, to be searched, filtered and opened. Where
// it fails, the list stays and says why.

// The controls above the list.
const list = byID('list');
const first = [...list.childNodes];
const tools = made('div', 'tools');
const search = made('input');
const told = made('p', 'told');
const sortBox = made('select');
const heads = made('div', 'heads');
const chips = [];
const buildTools = () => {
  search.type = 'search';
  search.id = 'search';
  search.placeholder = 'Search keys, records, ids, kinds, causes';
  search.autocomplete = 'off';
  search.spellcheck = false;
  search.setAttribute('aria-label', 'Search the findings');
  search.setAttribute('aria-keyshortcuts', '/');
  told.setAttribute('role', 'status');
  sortBox.setAttribute('aria-label', 'Order of the findings');
  for (const [value, name] of Object.entries(sorts)) {
    const option = made('option', '', name);
    option.value = value;
    sortBox.append(option);
  }
  const line = made('div', 'searchline');
  line.append(search, sortBox, told);
  tools.setAttribute('role', 'search');
  tools.append(line);
  const filters = made('details', 'filters');
  filters.append(made('summary', '', 'Filters'));
  filters.open = innerWidth > 720;
  tools.append(filters);
  for (const [name, words] of Object.entries(groups)) {
    const counts = new Uint32Array(256);
    for (let row = 0; row < total; row += 1) counts[all[name][row]] += 1;
    const present = words.filter((_, place) => counts[place]);
    if (present.length < 2) continue;
    const group = made('div', 'chips');
    group.setAttribute('role', 'group');
    group.setAttribute('aria-label', name);
    group.append(made('span', 'chipname', name));
    for (const word of present) {
      const chip = made('button', 'chip', word + ' ');
      chip.type = 'button';
      chip.append(made('span', 'chipcount', grouped(counts[words.indexOf(word)])));
      chip.addEventListener('click', () => {
        if (!asked[name].delete(word)) asked[name].add(word);
        asked.f = '';
        apply();
      });
      chips.push({ chip, name, word });
      group.append(chip);
    }
    filters.append(group);
  }
  filters.hidden = !chips.length;
  for (const [name, sort] of [['severity', 'severity'], ['finding', ''], ['key', 'title'],
    ['record', 'record'], ['bytes', 'bytes'], ['age', 'time']]) {
    const head = made('button', 'head ' + name, name);
    head.type = 'button';
    head.dataset.sort = sort;
    head.addEventListener('click', () => {
      asked.sort = sort === 'time' && asked.sort === 'time' ? '-time' : sort;
      apply();
    });
    heads.append(head);
  }
  heads.setAttribute('role', 'group');
  heads.setAttribute('aria-label', 'Order');
  tools.append(heads);
  search.addEventListener('input', () => {
    asked.q = search.value;
    asked.f = '';
    apply();
  });
  sortBox.addEventListener('change', () => {
    asked.sort = sortBox.value;
    apply();
  });
};

const tell = (began) => {
  let bytes = 0;
  for (let place = 0; place < shown.length; place += 1) {
    const value = all.bytes[shown[place]];
    if (value > 0) bytes += value;
  }
  const part = shown.length === total
    ? grouped(total) : grouped(shown.length) + ' of ' + grouped(total);
  told.textContent = part + ' findings' + (bytes ? ', ' + size(bytes) : '')
    + (places() < shown.length ? '; the first ' + grouped(places()) + ' are listed' : '');
  tools.dataset.took = (performance.now() - began).toFixed(1);
};
const apply = () => {
  const began = performance.now();
  if (search.value !== asked.q) search.value = asked.q;
  sortBox.value = asked.sort;
  for (const { chip, name, word } of chips) {
    chip.setAttribute('aria-pressed', asked[name].has(word));
  }
  for (const head of heads.childNodes) {
    head.classList.toggle('chosen', head.dataset.sort === asked.sort.replace('-', ''));
  }
  const wanted = asked.f;
  opening += 1;
  close();
  asked.f = wanted;
  shown = filter();
  active = -1;
  tell(began);
  writeAddress();
  redrawn();
  tools.dataset.drawn = (performance.now() - began).toFixed(1);
};
const rowWithID = (id) => {
  const start = id + '\t';
  for (const block of columns) {
    let at = block.lines.startsWith(start) ? 0 : block.lines.indexOf('\n' + start) + 1;
    if (at === 0 && !block.lines.startsWith(start)) continue;
    let low = 0;
    for (let high = block.count; low < high;) {
      const middle = (low + high) >> 1;
      if (block.starts[middle] < at) low = middle + 1; else high = middle;
    }
    return block.start + low;
  }
  return -1;
};
const follow = async () => {
  if (!readAddress()) return;
  const id = asked.f;
  apply();
  if (!id) {
    if (asked.q || location.hash.includes('=')) byID('findings').scrollIntoView();
    return;
  }
  const row = rowWithID(id);
  if (row < 0) {
    told.textContent = 'This page does not hold the finding ' + id + '. ' + (meta.omission || '');
    byID('findings').scrollIntoView();
    return;
  }
  let place = shown.indexOf(row);
  if (place < 0) {
    Object.assign(asked, { q: '', kind: new Set(), cause: new Set(), verdict: new Set() });
    asked.f = id;
    apply();
    place = shown.indexOf(row);
  }
  go(place, true);
  await open(place);
  show(place, true);
  draw();
};

// Keys: / searches, j and k go down and up, Enter opens, Escape closes or clears.
const pressed = (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  const page = Math.max(1, Math.floor((innerHeight - tools.offsetHeight) / rowHeight) - 2);
  const inRows = rowsBox.contains(event.target);
  let isUsed = true;
  if (event.key === 'Escape') {
    if (isTyping && event.target === search && search.value) {
      asked.q = '';
      apply();
    } else if (opened >= 0) {
      const place = opened;
      toggle(place);
      go(place);
    } else if (isTyping) {
      event.target.blur();
    } else {
      isUsed = false;
    }
  } else if (event.key === 'Enter' && event.target === search) {
    go(0);
  } else if (isTyping) {
    isUsed = false;
  } else if (event.key === '/') {
    search.focus();
    search.select();
  } else if (event.key === 'j' || (inRows && event.key === 'ArrowDown')) {
    go(active < 0 ? placeAt(-rowsBox.getBoundingClientRect().top) : active + 1);
  } else if (event.key === 'k' || (inRows && event.key === 'ArrowUp')) {
    go(active - 1);
  } else if (inRows && event.key === 'PageDown') {
    go(active + page);
  } else if (inRows && event.key === 'PageUp') {
    go(active - page);
  } else if (inRows && event.key === 'Home') {
    go(0);
  } else if (inRows && event.key === 'End') {
    go(places() - 1);
  } else {
    isUsed = false;
  }
  if (isUsed) event.preventDefault();
};

// Paper has no rows out of sight: it gets the first thousand.
let paper = null;
const print = () => {
  paper = made('div', 'paper');
  const count = Math.min(1000, shown.length);
  paper.append(made('p', '', 'The first ' + grouped(count) + ' of ' + grouped(shown.length)
    + ' findings' + (asked.q ? ' with ' + asked.q : '')));
  for (let place = 0; place < count; place += 1) {
    const line = rowNode(place);
    paper.append(line);
  }
  list.append(paper);
};

const measure = () => {
  rowHeight = matchMedia('(max-width: 45rem)').matches ? 44 : 30;
  rowsBox.style.setProperty('--row', rowHeight + 'px');
};
const begin = async () => {
  await Promise.all(columns.map(read));
  buildTools();
  rowsBox.setAttribute('role', 'list');
  rowsBox.setAttribute('aria-label', 'Findings');
  first.forEach((node) => node.remove());
  list.append(tools);
  if (meta.omission) list.append(made('p', 'omission', meta.omission));
  list.append(rowsBox);
  measure();
  addEventListener('scroll', later, { passive: true });
  addEventListener('resize', () => {
    measure();
    redrawn();
  });
  addEventListener('hashchange', follow);
  addEventListener('keydown', pressed);
  addEventListener('beforeprint', print);
  addEventListener('afterprint', () => paper && paper.remove());
  if (!readAddress()) apply(); else await follow();
  document.documentElement.dataset.ready = performance.now().toFixed(0);
  setTimeout(() => columns.forEach(lowered), 200);
};
if (total) {
  begin().catch((error) => {
    tools.remove();
    rowsBox.remove();
    list.replaceChildren(made('p', 'omission',
      'The findings cannot be searched here (' + error + '); the first ones follow.'), ...first);
  });
}
