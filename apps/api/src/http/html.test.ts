// Risk: text that somebody else wrote becomes markup of the operators' console.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { html } from './html.ts';

const decode = (markup: string): string =>
  markup
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#96;', '`')
    .replaceAll('&amp;', '&');

const parts = [
  '<script>',
  '</p>',
  '<!--',
  '"',
  "'",
  '`',
  '&',
  '&lt;',
  '&#60;',
  '<',
  '>',
  ' onload=',
  'a',
  '\0',
  '\u2028',
];
const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom(...parts)).map((pieces) => pieces.join('')),
);

test('any text is read back from the page unchanged, and none of it is markup', () => {
  fc.assert(
    fc.property(hostile, hostile, (text, title) => {
      const { markup } = html`<p title="${title}">${text}</p>`;
      const [, shownTitle = '', shownText = ''] = /^<p title="([^"<>'`]*)">([^<>"'`]*)<\/p>$/.exec(markup) ?? [];
      expect([decode(shownTitle), decode(shownText)]).toEqual([title, text]);
      expect(`${shownTitle}${shownText}`).not.toMatch(/&(?!(amp|lt|gt|quot|#39|#96);)/);
    }),
  );
});

test('lists and Html values are inserted, and absent values are omitted', () => {
  const items = ['<a>', 'b'].map((item) => html`<li>${item}</li>`);
  expect(html`<ul>${items}</ul>${null}${undefined}${false}${0}`.markup).toBe('<ul><li>&lt;a&gt;</li><li>b</li></ul>0');
});

test('an object that looks like Html is not inserted', () => {
  const forged: unknown = JSON.parse('{"markup":"<script>"}');
  expect(html`${asText(forged)}`.markup).toBe('');
});

// Content that a careless caller might pass.
function asText(value: unknown): string {
  return value as string;
}
