/** A page of the reference or a guide. Its Markdown is its source: the HTML, the search and `.md` are made from it. */
export interface Page {
  /** Its address, as `/docs/events`; the same with `.md` is the Markdown. */
  path: string;
  title: string;
  /** One sentence, for lists and search engines. */
  summary: string;
  /** What its kind is called in search results. */
  kind: 'Guide' | 'Operation' | 'Event' | 'Error' | 'Overview';
  /** The tag of an operation, or the group of an event or a guide. */
  group?: string;
  markdown: () => string;
}

export const START = '/docs';
export const OPERATIONS = '/docs/api';
export const EVENTS = '/docs/events';
export const ERRORS = '/docs/errors';
/** The page where requests are tried. */
export const CONSOLE = '/docs/try';

export function operationPath(id: string): string {
  return `${OPERATIONS}/${id}`;
}

export function eventPath(type: string): string {
  return `${EVENTS}/${type}`;
}

/** Without the marks of CommonMark that summaries have. */
export function plainText(text: string): string {
  return text.replaceAll('`', '');
}
