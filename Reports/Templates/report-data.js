'use strict';
// The script of report.html is these files in one: report-data, report-search, report-list, report.
// What it shows of data it sets as text, never as markup.

const byID = (id) => document.getElementById(id);
const made = (name, className, text) => {
  const node = document.createElement(name);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
};
const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ',');
const size = (bytes) => {
  if (bytes < 1024) return bytes + ' B';
  const units = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
  let unit = 0;
  let value = bytes / 1024;
  for (; Math.round(value * 10) >= 10240 && unit < 5; unit += 1) value /= 1024;
  return grouped(Math.floor(Math.round(value * 10) / 10)) + '.' + (Math.round(value * 10) % 10)
    + ' ' + units[unit];
};
const age = (seconds) => {
  const scales = [[31557600, 'y'], [86400, 'd'], [3600, 'h'], [60, 'm']];
  const scale = scales.find((entry) => seconds >= entry[0] * (entry[1] === 'y' ? 2 : 1));
  return scale ? Math.floor(seconds / scale[0]) + scale[1] : Math.max(0, seconds) + 's';
};
const moment = (seconds) => {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().replace('.000', '');
};

// The blocks of data: base64 of gzip, in elements that no browser runs.
const bytesOf = (text) => Uint8Array.fromBase64
  ? Uint8Array.fromBase64(text)
  : Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const inflated = async (text) => {
  const unpacked = new Blob([bytesOf(text)]).stream()
    .pipeThrough(new DecompressionStream('gzip'));
  return new Response(unpacked).arrayBuffer();
};
const blocks = (name) => {
  let start = 0;
  return [...document.querySelectorAll('script.' + name)].map((node) => {
    const block = {
      text: node.textContent, kind: node.dataset.kind, start, count: +node.dataset.rows
    };
    start += block.count;
    node.remove();
    return block;
  });
};
const blockOf = (list, row) => {
  let low = 0;
  let high = list.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (list[middle].start <= row) low = middle; else high = middle - 1;
  }
  return list[low];
};

const meta = JSON.parse(byID('meta').textContent);
const kindNames = meta.kinds.map((kind) => kind.name);
const causeNames = meta.causes.map((cause) => cause.name);
const verdictNames = meta.verdicts.map((verdict) => verdict.name);
const columns = blocks('columns');
// The whole findings stand behind the script: rows are seen before these are read.
let details = null;
const wholeBlocks = async () => {
  if (!details && document.readyState === 'loading') {
    await new Promise((resume) => { addEventListener('DOMContentLoaded', resume); });
  }
  details = details || blocks('details');
  return details;
};
const total = columns.reduce((sum, block) => sum + block.count, 0);
const all = {
  kind: new Uint8Array(total), severity: new Uint8Array(total), cause: new Uint8Array(total),
  verdict: new Uint8Array(total), action: new Uint8Array(total),
  outcome: new Uint8Array(total), bytes: new Float64Array(total), time: new Float64Array(total)
};
const codes = ['severity', 'cause', 'verdict', 'action', 'outcome'];

const read = async (block) => {
  const buffer = await inflated(block.text);
  const count = block.count;
  const end = block.start + count;
  block.text = '';
  all.kind.fill(kindNames.indexOf(block.kind), block.start, end);
  all.bytes.set(new Float64Array(buffer, 8, count), block.start);
  all.time.set(new Float64Array(buffer, 8 + 8 * count, count), block.start);
  let place = 8 + 16 * count;
  for (const code of codes) {
    all[code].set(new Uint8Array(buffer, place, count), block.start);
    place += count;
  }
  block.lines = new TextDecoder().decode(new Uint8Array(buffer, place));
  block.starts = new Int32Array(count + 1);
  for (let row = 0, at = 0; row < count; row += 1) {
    at = block.lines.indexOf('\n', at) + 1;
    block.starts[row + 1] = at;
  }
};
// Id, title, record and bucket.
const textsOf = (row) => {
  const block = blockOf(columns, row);
  const place = row - block.start;
  return block.lines.slice(block.starts[place], block.starts[place + 1] - 1).split('\t');
};
// Lower case of the same length, so that places in one are places in the other.
const lowered = (block) => {
  if (block.lower === undefined) {
    const lower = block.lines.toLowerCase();
    block.lower = lower.length === block.lines.length
      ? lower : block.lines.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  }
  return block.lower;
};
const wholeOf = async (row) => {
  const block = blockOf(await wholeBlocks(), row);
  if (!block.lines) {
    const text = new TextDecoder().decode(await inflated(block.text));
    for (const other of details) other.lines = undefined;
    block.lines = text.split('\n');
  }
  return JSON.parse(block.lines[row - block.start]);
};
