import { type Html, html } from '../http/html.ts';
import type { Search, SearchEntry } from './assets/rank.js';
import type { Page } from './page.ts';
import { sectionsOf } from './render-markdown.ts';

const FIELD = /^\| `([^`]+)`/gm;

/** One entry per section of a guide; other pages have one, with their introduction and names of fields. */
export function searchEntries({ title, kind, path, markdown }: Page): SearchEntry[] {
  const [introduction, ...sections] = sectionsOf(markdown());
  const text = textOf(introduction?.text ?? '');
  if (kind === 'Guide') {
    return [
      { title, kind, url: path, text },
      ...sections.map((part) => ({
        title: part.title,
        kind: title,
        url: `${path}#${part.id}`,
        text: textOf(part.text),
      })),
    ];
  }
  const names = sections.flatMap((part) => [...part.text.matchAll(FIELD)].map(([, name = '']) => name));
  return [{ title, kind, url: path, text: [text, ...new Set(names)].join(' ') }];
}

function textOf(markdown: string): string {
  return markdown
    .replaceAll(/^```.*$|^\|[-| ]+\|$|^#+ |<!--.*?-->/gm, ' ')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*|]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

export function searchResults(search: Search, query: string): Html {
  const found = search(query).slice(0, 50);
  return html`<h1>Search</h1>
${query !== '' && html`<p>${found.length === 0 ? 'Nothing contains any of these words: ' : 'Results for '}<strong>${query}</strong></p>`}
<ol class="found">${found.map(
    ({ title, kind, text, url }) => html`<li><a href="${url}">${title}</a> <span>${kind}</span><p>${text}</p></li>`,
  )}</ol>`;
}
