/** Embeddings, overrides and isolates of direction (Unicode UAX #9): what stands after one may be read backwards. */
const DIRECTION = /[\u202A-\u202E\u2066-\u2069]/g;

function codeOf(character: string): string {
  return character.charCodeAt(0).toString(16).toUpperCase();
}

/** A text that somebody decides about, in the order in which it was sent: what would turn it round is shown as a mark. */
export function visibleText(text: string): string {
  return text.replace(DIRECTION, (character) => `[U+${codeOf(character)}]`);
}

/** A value as JSON of the same meaning, in which what would turn its text round is escaped. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(DIRECTION, (character) => `\\u${codeOf(character)}`);
}
