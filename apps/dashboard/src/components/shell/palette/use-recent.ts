import { useSession } from '../../../lib/use-session.ts';
import { type RecentEntry, readRecent, withRecent } from './palette.view.ts';

const STORED = 'recent';

/** What this session opened last with the palette. */
export function useRecent(): { recent: readonly RecentEntry[]; remember: (entry: RecentEntry) => void } {
  const { id } = useSession();
  const recent = readRecent(localStorage.getItem(STORED), id);
  return { recent, remember: (entry) => localStorage.setItem(STORED, withRecent(recent, entry, id)) };
}
