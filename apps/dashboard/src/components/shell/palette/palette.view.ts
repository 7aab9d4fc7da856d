import type { OpenedDialog } from '../../dialog-host.tsx';
import type { Route } from '../../record-link.tsx';

/** An entry of the palette: it goes to a page, or opens a dialog. */
export interface Entry {
  id: string;
  label: string;
  /** Distinguishes entries of the same name. It is not searched: many entries have the same one. */
  hint?: string | undefined;
  /** More text that the search matches. An entry without a hint shows it; recent entries don't keep it. */
  about?: string | undefined;
  goes?: Route | { href: string } | undefined;
  opens?: OpenedDialog;
}

export interface EntryGroup {
  label: string;
  items: readonly Entry[];
}

const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** The entries that contain each word of the text: those that begin with it, then those with all words in the label. */
export function matching(entries: readonly Entry[], text: string, limit: number): Entry[] {
  const words = wordsOf(text);
  const hits = entries.filter(({ label, about = '' }) => {
    const searched = `${label} ${about}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  });
  const rankOf = ({ label }: Entry): number => {
    const name = label.toLowerCase();
    if (name.startsWith(words[0] ?? '')) return 0;
    return words.every((word) => name.includes(word)) ? 1 : 2;
  };
  return hits.toSorted((one, other) => rankOf(one) - rankOf(other)).slice(0, limit);
}

/** The groups that are not empty. */
export function shownGroups(groups: readonly EntryGroup[]): EntryGroup[] {
  return groups.filter(({ items }) => items.length > 0);
}

export const MAX_RECENT = 5;

/** A page that was opened, by its address. */
export interface RecentEntry {
  label: string;
  hint?: string | undefined;
  href: string;
}

interface StoredRecent {
  /** Another session may belong to another person. */
  session: string;
  entries: RecentEntry[];
}

function asStored(value: unknown): StoredRecent {
  return value as StoredRecent;
}

export function readRecent(stored: string | null, session: string): RecentEntry[] {
  if (stored === null) return [];
  const recent = asStored(JSON.parse(stored));
  return recent.session === session ? recent.entries : [];
}

export function withRecent(before: readonly RecentEntry[], entry: RecentEntry, session: string): string {
  const entries = [entry, ...before.filter(({ href }) => href !== entry.href)].slice(0, MAX_RECENT);
  return JSON.stringify({ session, entries } satisfies StoredRecent);
}
