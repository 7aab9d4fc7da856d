// Risk: a text becomes markup or a script of the page, or a heading's anchor is not the one that links name.
import { expect, test } from 'vitest';
import { renderMarkdown, sectionsOf } from './render-markdown.ts';

const html = (markdown: string): string => renderMarkdown(markdown).content.markup;

test.each([
  ['<script>alert(1)</script>', '&lt;script&gt;'],
  ['a <img src=x onerror=alert(1)> b', '&lt;img src=x'],
  ['```html\n<b onclick="x">\n```', '&lt;b onclick=&quot;x&quot;&gt;'],
  ['`<i>`', '<code>&lt;i&gt;</code>'],
])('markup in %s is text', (markdown, shown) => {
  expect(html(markdown)).toContain(shown);
  expect(html(markdown)).not.toMatch(/<(?:script|img|b|i)\b/);
});

test.each(['javascript:alert(1)', 'JavaScript:alert(1)', 'data:text/html,x', '//example.com/x', 'vbscript:x'])(
  'a link to %s is its text alone',
  (target) => expect(html(`[here](${target})`)).toBe('<p>here</p>\n'),
);

test('a link keeps its target, and cannot leave its attribute', () => {
  expect(html('[a](/docs/x#y) [b](https://example.com/?q="x"&y)')).toBe(
    '<p><a href="/docs/x#y">a</a> <a href="https://example.com/?q=&quot;x&quot;&amp;y">b</a></p>\n',
  );
});

test('headings have the anchors that GitHub gives them, numbered when they repeat', () => {
  const { content, headings } = renderMarkdown("# Page\n## What `listen` does, and doesn't\n## Again\n### Again\n");
  expect(headings).toEqual([
    { id: 'what-listen-does-and-doesnt', title: "What listen does, and doesn't" },
    { id: 'again', title: 'Again' },
  ]);
  expect(content.markup).toContain('<h3 id="again-1"><a href="#again-1">Again</a></h3>');
  expect(sectionsOf("# Page\nTop\n## What `listen` does, and doesn't\nText\n").map(({ id }) => id)).toEqual([
    '',
    'what-listen-does-and-doesnt',
  ]);
});

test('neighbouring code blocks with labels are one group, others stay apart', () => {
  const markdown = '```sh curl\na\n```\n\n```ts TypeScript\nb\n```\n\nText\n\n```sh\nc\n```\n\n```sh\nd\n```\n';
  const groups = html(markdown).match(/class="samples"/g);
  expect(groups).toHaveLength(1);
  expect(html(markdown)).toContain('<button type="button" value="TypeScript">TypeScript</button>');
  expect(html(markdown).match(/class="code"/g)).toHaveLength(4);
});

test('each cell of a table names its column, for screens where rows are blocks', () => {
  expect(html('| Code | What `x` is |\n| --- | --- |\n| a\\|b | c |\n')).toContain(
    '<td data-label="Code">a|b</td><td data-label="What x is">c</td>',
  );
});
