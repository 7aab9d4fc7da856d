/** Markup that was made by `html`; everything else is text and is escaped. */
export class Html {
  readonly markup: string;
  constructor(markup: string) {
    this.markup = markup;
  }
}

type Content = Html | string | number | false | null | undefined | readonly Content[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

/**
 * Markup from a template: `html\`<p title="${title}">${text}</p>\``. Values are escaped for text and for attributes in
 * quotes, and nowhere else may they stand; markup that `html` made is taken as it is; nothing is written for absent ones.
 */
export function html(template: TemplateStringsArray, ...values: readonly Content[]): Html {
  return new Html(template.map((part, index) => part + render(index < values.length ? values[index] : '')).join(''));
}

function render(content: Content): string {
  if (content instanceof Html) return content.markup;
  if (typeof content === 'string') return content.replace(/[&<>"'`]/g, (char) => entities[char] ?? '');
  if (typeof content === 'number') return String(content);
  return isList(content) ? content.map(render).join('') : '';
}

function isList(content: Content): content is readonly Content[] {
  return Array.isArray(content);
}
