export interface SearchEntry {
  title: string;
  kind: string;
  text: string;
  url: string;
}

/** An entry whose text is the part with the words. */
export type SearchResult = SearchEntry;

export function rank(entries: readonly SearchEntry[], query: string): SearchResult[];
