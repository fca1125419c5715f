// Which findings are shown, and in which order.

// What is asked for, as the address holds it.
const asked = {
  q: '', f: '', sort: 'severity', kind: new Set(), cause: new Set(), verdict: new Set()
};
const groups = { verdict: verdictNames, kind: kindNames, cause: causeNames };
const sorts = {
  severity: 'gravest first', bytes: 'largest first', time: 'oldest first', '-time': 'newest first',
  title: 'by key', record: 'by record', '': 'as in other reports'
};
const readAddress = () => {
  const found = {};
  for (const part of location.hash.slice(1).split('&')) {
    const equals = part.indexOf('=');
    if (equals < 0) continue;
    try {
      found[part.slice(0, equals)] = decodeURIComponent(part.slice(equals + 1));
    } catch {
      found[part.slice(0, equals)] = part.slice(equals + 1);
    }
  }
  if (location.hash.length > 1 && !Object.keys(found).length) return false;
  asked.q = found.q || '';
  asked.f = found.f || '';
  asked.sort = found.sort in sorts ? found.sort : 'severity';
  for (const name of Object.keys(groups)) {
    const words = (found[name] || '').split(',').filter((word) => groups[name].includes(word));
    asked[name] = new Set(words);
  }
  return true;
};
const addressOf = (what) => {
  const parts = [];
  if (what.q) parts.push('q=' + encodeURIComponent(what.q));
  for (const name of Object.keys(groups)) {
    if (what[name] && what[name].size) parts.push(name + '=' + [...what[name]].join(','));
  }
  if (what.sort !== undefined && what.sort !== 'severity') parts.push('sort=' + what.sort);
  if (what.f) parts.push('f=' + encodeURIComponent(what.f));
  return '#' + parts.join('&');
};
const writeAddress = () => history.replaceState(null, '', addressOf(asked));

// Search: every word must stand in a row's texts, or be a part of one of its codes' names.
const matches = (word, marks) => {
  for (const [code, names] of [['kind', kindNames], ['cause', causeNames],
    ['verdict', verdictNames], ['action', meta.actions], ['outcome', meta.outcomes]]) {
    const wanted = new Uint8Array(256);
    let any = false;
    names.forEach((name, place) => {
      if (name.includes(word)) any = wanted[place] = 1;
    });
    if (!any) continue;
    const column = all[code];
    for (let row = 0; row < total; row += 1) marks[row] |= wanted[column[row]];
  }
  for (const block of columns) {
    const lower = lowered(block);
    const starts = block.starts;
    let row = 0;
    for (let at = lower.indexOf(word); at >= 0;) {
      let step = 1;
      let low = row;
      let high = row;
      while (high < block.count && starts[high + 1] <= at) {
        low = high;
        high = Math.min(block.count, high + step);
        step *= 2;
      }
      while (starts[low + 1] <= at) {
        const middle = (low + high) >> 1;
        if (middle > low && starts[middle] <= at) low = middle; else low += 1;
      }
      row = low;
      marks[block.start + row] = 1;
      row += 1;
      if (row >= block.count) break;
      at = lower.indexOf(word, starts[row]);
    }
  }
};
let shown = new Uint32Array(0);
const order = new Map();
const ordered = (sort) => {
  if (order.has(sort)) return order.get(sort);
  let rows = new Uint32Array(total);
  for (let row = 0; row < total; row += 1) rows[row] = row;
  if (sort === 'severity') {
    let count = 0;
    for (let level = meta.severities.length - 1; level >= 0; level -= 1) {
      for (let row = 0; row < total; row += 1) {
        if (all.severity[row] === level) rows[count++] = row;
      }
    }
  } else if (sort === 'title' || sort === 'record') {
    const place = sort === 'title' ? 1 : 2;
    const texts = Array.from(rows, (row) => textsOf(row)[place]);
    rows = rows.sort((one, other) =>
      texts[one] < texts[other] ? -1 : texts[one] > texts[other] ? 1 : one - other);
  } else if (sort) {
    const sign = sort === 'time' ? 1 : -1;
    const column = sort === 'bytes' ? all.bytes : all.time;
    const keys = column.map((value) => (Number.isNaN(value) ? Infinity : sign * value));
    rows = rows.sort((one, other) => keys[one] - keys[other] || one - other);
  }
  order.set(sort, rows);
  return rows;
};
const filter = () => {
  const words = asked.q.toLowerCase().split(/\s+/).filter(Boolean);
  let marks = null;
  for (const word of words) {
    const found = new Uint8Array(total);
    matches(word, found);
    if (marks) for (let row = 0; row < total; row += 1) found[row] &= marks[row];
    marks = found;
  }
  const chosen = Object.keys(groups).filter((name) => asked[name].size).map((name) => {
    const wanted = new Uint8Array(256);
    for (const word of asked[name]) wanted[groups[name].indexOf(word)] = 1;
    return [all[name], wanted];
  });
  const rows = ordered(asked.sort);
  if (!marks && !chosen.length) return rows;
  marks = marks || new Uint8Array(total).fill(1);
  for (const [column, wanted] of chosen) {
    for (let row = 0; row < total; row += 1) marks[row] &= wanted[column[row]];
  }
  const kept = new Uint32Array(total);
  let count = 0;
  for (let place = 0; place < total; place += 1) {
    if (marks[rows[place]]) kept[count++] = rows[place];
  }
  return kept.subarray(0, count);
};
