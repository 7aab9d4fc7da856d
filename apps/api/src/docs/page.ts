/** HTML, search and `.md` are made from the Markdown. */
export interface Page {
  /** For example `/docs/events`; with `.md` it is the Markdown. */
  path: string;
  title: string;
  summary: string;
  /** Label in search results. */
  kind: 'Guide' | 'Operation' | 'Event' | 'Error' | 'Overview';
  /** The tag of an operation, or the group of an event or a guide. */
  group?: string;
  markdown: () => string;
}

export const START = '/docs';
export const OPERATIONS = '/docs/api';
export const EVENTS = '/docs/events';
export const ERRORS = '/docs/errors';
export const CONSOLE = '/docs/try';

export function operationPath(id: string): string {
  return `${OPERATIONS}/${id}`;
}

export function eventPath(type: string): string {
  return `${EVENTS}/${type}`;
}

export function plainText(text: string): string {
  return text.replaceAll('`', '');
}
