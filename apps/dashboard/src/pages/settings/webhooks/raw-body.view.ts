import { plural } from '../../../lib/text.ts';

const encoder = new TextEncoder();

export function describeBody(body: string): string {
  if (body === '') return 'Empty: 0 bytes.';
  const size = encoder.encode(body).length;
  const bytes = plural(size, 'byte');
  const end = body.endsWith('\n') ? 'with a newline at the end' : 'without a newline at the end';
  return `${bytes}, ${end}${body.includes('\r\n') ? ', lines end with CRLF' : ''}.`;
}
