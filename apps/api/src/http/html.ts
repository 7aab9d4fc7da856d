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

/** Escapes values for text and quoted attributes, the only valid positions. */
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
