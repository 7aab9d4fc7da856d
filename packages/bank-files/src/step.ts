/** Counts the work of a parser in characters and items, so that a test can limit it. Called before the work. */
export type Step = (count: number) => void;

export const uncounted: Step = () => undefined;

/** `text.indexOf(part, from)`, counted. */
export function indexIn(text: string, part: string, from: number, step: Step): number {
  const at = text.indexOf(part, from);
  step((at === -1 ? text.length : at) - from + 1);
  return at;
}
