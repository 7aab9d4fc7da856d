export interface SearchEntry {
  title: string;
  kind: string;
  text: string;
  url: string;
}

/** An entry whose text is the part with the words. */
export type SearchResult = SearchEntry;

export type Search = (query: string) => SearchResult[];

export function createSearch(entries: readonly SearchEntry[]): Search;
