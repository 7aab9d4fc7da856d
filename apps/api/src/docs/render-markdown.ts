import { Marked, type Token, type Tokens } from 'marked';
import { Html, html } from '../http/html.ts';

export interface Heading {
  id: string;
  title: string;
}

export interface RenderedPage {
  content: Html;
  headings: readonly Heading[];
}

/** Allowed links: paths of this service, anchors, https and mail, not `javascript:`. */
const SAFE_LINK = /^(?:https?:\/\/|mailto:|\/(?!\/)|#)/;

/** Renders Markdown without raw HTML; headings have anchors, and tables have labels. */
export function renderMarkdown(text: string): RenderedPage {
  const slugs = new Map<string, number>();
  const headings: Heading[] = [];
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const content = new Html(this.parser.parseInline(tokens));
        if (depth === 1) return html`<h1>${content}</h1>\n`.markup;
        const title = plain(this.parser.parseInline(tokens, this.parser.textRenderer));
        const id = anchor(title, slugs);
        if (depth === 2) headings.push({ id, title });
        const tag = new Html(`h${depth}`);
        return html`<${tag} id="${id}"><a href="#${id}">${content}</a></${tag}>\n`.markup;
      },
      link({ href, tokens }) {
        const content = new Html(this.parser.parseInline(tokens));
        return SAFE_LINK.test(href) ? html`<a href="${href}">${content}</a>`.markup : content.markup;
      },
      image: ({ text: alternative }) => html`${alternative}`.markup,
      html: ({ text: source }) => (source.startsWith('<!--') ? '' : html`${source}`.markup),
      code: (token) => codeBlock(token).markup,
      table({ header, rows }) {
        const inline = (cell: Tokens.TableCell) => new Html(this.parser.parseInline(cell.tokens));
        const labels = header.map((cell) => plain(this.parser.parseInline(cell.tokens, this.parser.textRenderer)));
        return tableOf(
          header.map(inline),
          rows.map((row) => row.map(inline)),
          labels,
        ).markup;
      },
    },
  });
  const content = html`${grouped(marked.lexer(text)).map((group) =>
    group.length > 1 ? samples(group.filter(isSample)) : new Html(marked.parser(group)),
  )}`;
  return { content, headings };
}

/** The parts of a text by second-level headings; the first is the introduction without the title. */
export function sectionsOf(text: string): (Heading & { text: string })[] {
  const slugs = new Map<string, number>();
  const parts = [{ id: '', title: '', text: '' }];
  for (const token of new Marked().lexer(text)) {
    if (isHeading(token)) {
      if (token.depth === 1) continue;
      const title = token.text.replaceAll('`', '');
      const id = anchor(title, slugs);
      if (token.depth === 2) {
        parts.push({ id, title, text: '' });
        continue;
      }
    }
    const last = parts.at(-1);
    if (last) last.text += token.raw;
  }
  return parts;
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading';
}

/** The same anchors as GitHub's, where pages link to each other too. */
function anchor(title: string, slugs: Map<string, number>): string {
  const slug = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
  const count = slugs.get(slug) ?? 0;
  slugs.set(slug, count + 1);
  return count === 0 ? slug : `${slug}-${count}`;
}

function plain(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

/** Groups consecutive code blocks with labels. */
function grouped(tokens: readonly Token[]): Token[][] {
  const groups: Token[][] = [];
  for (const token of tokens) {
    if (token.type === 'space') continue;
    const last = groups.at(-1);
    if (isSample(token) && last?.[0] !== undefined && isSample(last[0])) last.push(token);
    else groups.push([token]);
  }
  return groups;
}

function isSample(token: Token): token is Tokens.Code {
  return token.type === 'code' && labelOf(token) !== '';
}

function labelOf({ lang = '' }: Token & { lang?: string }): string {
  return lang.split(' ').slice(1).join(' ');
}

function codeBlock({ text, lang = '' }: Tokens.Code): Html {
  const [language = ''] = lang.split(' ');
  return html`<div class="code"><pre tabindex="0"><code class="language-${language}">${text}</code></pre></div>\n`;
}

/** Without a script all languages are shown, with their labels. */
function samples(blocks: readonly Tokens.Code[]): Html {
  return html`<div class="samples">
<div class="languages" role="group" aria-label="Language">${blocks.map(
    (block) => html`<button type="button" value="${labelOf(block)}">${labelOf(block)}</button>`,
  )}</div>
${blocks.map((block) => html`<div class="sample" data-language="${labelOf(block)}"><p>${labelOf(block)}</p>${codeBlock(block)}</div>`)}
</div>\n`;
}

/** On a narrow screen each row is a block of labelled cells. */
function tableOf(head: readonly Html[], rows: readonly (readonly Html[])[], labels: readonly string[]): Html {
  return html`<table>
<thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>${rows.map(
    (row) => html`<tr>${row.map((cell, i) => html`<td data-label="${labels[i]}">${cell}</td>`)}</tr>\n`,
  )}</tbody>
</table>\n`;
}
