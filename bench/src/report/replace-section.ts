const begin = '<!-- begin: figures of `pnpm bench`, written by it -->';
const end = '<!-- end: figures -->';

/** Replaces the text between the document's two marker comments. @throws if one is missing */
export function replaceSection(document: string, text: string): string {
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  if (from === -1 || to < from) throw new Error(`The document needs the lines ${begin} and ${end}.`);
  return `${document.slice(0, from + begin.length)}\n\n${text}\n\n${document.slice(to)}`;
}
