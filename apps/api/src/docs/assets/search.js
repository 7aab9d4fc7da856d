import { createSearch } from './rank.js';

const SHOWN = 8;
const form = document.querySelector('form[role=search]');
const input = form?.querySelector('input');
const list = form?.querySelector('ul');

/** @type {Promise<import('./rank.d.ts').Search> | undefined} */
let index;
/** The highlighted result; -1 for none, so that Enter opens the page of all results. */
let active = -1;

function load() {
  index ??= fetch('/docs/search.json')
    .then((response) => {
      if (!response.ok) throw new Error(`The search is not available: ${response.status}`);
      return response.json();
    })
    .then(createSearch)
    .catch((error) => {
      index = undefined;
      throw error;
    });
  return index;
}

/**
 * @param {HTMLInputElement} field
 * @param {HTMLUListElement} results
 */
function start(field, results) {
  field.setAttribute('role', 'combobox');
  field.setAttribute('aria-controls', results.id);
  field.setAttribute('aria-autocomplete', 'list');
  field.setAttribute('aria-expanded', 'false');
  const close = () => {
    results.hidden = true;
    field.setAttribute('aria-expanded', 'false');
    highlight(-1);
  };
  /** @param {number} at */
  const highlight = (at) => {
    active = at;
    field.removeAttribute('aria-activedescendant');
    for (const [i, item] of [...results.children].entries()) {
      item.setAttribute('aria-selected', String(i === at));
      if (i !== at) continue;
      field.setAttribute('aria-activedescendant', item.id);
      item.scrollIntoView({ block: 'nearest' });
    }
  };
  const update = async () => {
    const query = field.value;
    const found = (await load())(query).slice(0, SHOWN);
    if (query !== field.value) return;
    results.replaceChildren(...found.map(option));
    results.hidden = found.length === 0;
    field.setAttribute('aria-expanded', String(found.length > 0));
    highlight(-1);
  };
  field.addEventListener('input', () => void update());
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close();
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const count = results.hidden ? 0 : results.children.length;
    if (step !== 0 && count > 0) {
      event.preventDefault();
      highlight(active === -1 && step === -1 ? count - 1 : (active + step + count) % count);
    }
    const url = results.children[active]?.getAttribute('data-url');
    if (event.key === 'Enter' && active !== -1 && url) {
      event.preventDefault();
      location.assign(url);
    }
  });
  results.addEventListener('click', ({ target }) => {
    const url = target instanceof Element ? target.closest('li')?.getAttribute('data-url') : undefined;
    if (url) location.assign(url);
  });
  field.addEventListener('blur', () => setTimeout(close, 150));
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    field.focus();
  });
}

/**
 * @param {import('./rank.d.ts').SearchResult} result
 * @param {number} i
 */
function option({ title, kind, text, url }, i) {
  const item = document.createElement('li');
  item.id = `result-${i}`;
  item.role = 'option';
  item.dataset.url = url;
  for (const [name, content] of [
    ['strong', title],
    ['span', kind],
    ['small', text],
  ]) {
    const part = document.createElement(name ?? '');
    part.textContent = content ?? '';
    item.append(part);
  }
  return item;
}

if (input && list) start(input, list);
