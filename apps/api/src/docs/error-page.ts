import { type ErrorCode, errorPage, errors, type Operation } from '@finhook/contracts';
import { blocks, code, section, table } from './markdown-text.ts';
import { operationPath, type Page, plainText } from './page.ts';

/** The `type` of a problem document links to it. */
export function errorCodePage(name: ErrorCode, list: readonly Operation[]): Page {
  const { status, title, meaning, action, retryable } = errors[name];
  return {
    path: errorPage(name),
    title,
    summary: plainText(meaning),
    kind: 'Error',
    markdown: () =>
      blocks(
        `# ${title}`,
        meaning,
        table(
          ['Property', 'Value'],
          [
            ['Code', code(name)],
            ['HTTP status', String(status)],
            ['Retryable', retryable ? 'Yes: the same request may succeed later.' : 'No: the same request fails again.'],
          ],
        ),
        section('What to do', action),
        section('Operations', ...operationsWith(name, list)),
      ),
  };
}

function operationsWith(name: ErrorCode, list: readonly Operation[]): string[] {
  const found = list.filter(({ errors: own }) => own.includes(name));
  if (found.length === 0) return [];
  return [
    'These name it among their errors:',
    found.map(({ id, summary }) => `- [${summary}](${operationPath(id)})`).join('\n'),
  ];
}
