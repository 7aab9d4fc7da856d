/**
 * Receives the work of a parser as it is done, in characters scanned and items visited, so that a test can limit it. A
 * loop calls it before its work, and with all of it: a search counts what it passes over.
 */
export type Step = (count: number) => void;

export const uncounted: Step = () => undefined;

/** `text.indexOf(part, from)`, counted. */
export function indexIn(text: string, part: string, from: number, step: Step): number {
  const at = text.indexOf(part, from);
  step((at === -1 ? text.length : at) - from + 1);
  return at;
}
