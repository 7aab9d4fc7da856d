import { formatCount } from './format-number.ts';

/** Bidirectional embeddings, overrides and isolates (Unicode UAX #9), which can reverse the text after them. */
const DIRECTION = /[\u202A-\u202E\u2066-\u2069]/g;

function codeOf(character: string): string {
  return character.charCodeAt(0).toString(16).toUpperCase();
}

export function visibleText(text: string): string {
  return text.replace(DIRECTION, (character) => `[U+${codeOf(character)}]`);
}

export function visibleJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(DIRECTION, (character) => `\\u${codeOf(character)}`);
}

/** Formats a count with its noun; `many` is for irregular plurals. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

export function actorName({ id, name }: { id: string; name?: string | null | undefined }): string {
  return name ?? id;
}

const FEW = 3;

export function someOf(names: readonly string[]): string {
  if (names.length === 0) return 'None';
  // One more name takes no more room than its count.
  const shown = names.length <= FEW + 1 ? names : names.slice(0, FEW);
  const rest = names.length - shown.length;
  return rest === 0 ? shown.join(', ') : `${shown.join(', ')} and ${rest} more`;
}
