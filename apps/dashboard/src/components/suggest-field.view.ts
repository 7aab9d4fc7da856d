export interface Entry {
  /** The value that it chooses. */
  text: string;
  isNew: boolean;
}

/** The service compares categories without case, spaces and punctuation. */
function spelling(text: string): string {
  const words = text.normalize('NFKC').toLowerCase();
  return words.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim() || words.trim();
}

/** The suggestion that a text spells, in any case and with any spaces. */
export function sameAs(suggestions: readonly string[], text: string): string | undefined {
  const query = spelling(text);
  return (
    suggestions.find((item) => item === text.trim()) ??
    (query === '' ? undefined : suggestions.find((item) => spelling(item) === query))
  );
}

const NO_MATCH = 3;

function rank(item: string, query: string): number {
  const text = spelling(item);
  if (text === query) return 0;
  if (text.startsWith(query)) return 1;
  return text.includes(query) ? 2 : NO_MATCH;
}

/** The suggestions that contain a text, closest first, and last an entry that creates it if none spells it. */
export function entriesFor(suggestions: readonly string[], text: string, mayCreate: boolean): readonly Entry[] {
  const query = spelling(text);
  const found = suggestions
    .map((item) => ({ text: item, isNew: false, rank: rank(item, query) }))
    .filter((item) => item.rank < NO_MATCH)
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ text: item, isNew }): Entry => ({ text: item, isNew }));
  const isNew = mayCreate && query !== '' && sameAs(suggestions, text) === undefined;
  return isNew ? [...found, { text: text.trim(), isNew }] : found;
}

/** The text of a field whose value is another one than the typed text. `suggestions` are undefined until they are read. */
export function shownFor(value: string, typed: string | undefined, suggestions: readonly string[] | undefined) {
  const known = suggestions ?? [];
  return {
    text: typed ?? value,
    /** The typed text is not the value, nor a spelling of it. */
    isUnchosen: typed !== undefined && typed.trim() !== value && sameAs(known, typed) !== value,
    entries: entriesFor(known, typed ?? '', suggestions !== undefined),
  };
}
