import type { SkippedTransaction } from '@finhook/contracts';
import { stemOf, withoutSuffix, wordsOf } from '@finhook/contracts/transaction-content';
import type { PlannedRow } from './plan-ingest.ts';

/** `day` is in the company's time zone. */
export interface StoredContent {
  id: string;
  connection_id: string;
  external_id: string;
  day: string;
  amount_cents: number;
  currency: string;
  description: string;
  category: string | null;
  counterparty: string | null;
  source: string;
}

interface Match {
  stored: StoredContent;
  by: NonNullable<SkippedTransaction['matched_by']>;
}

/** True without a reference of a bank: `external_id` is the row's own id, or a hash that an import made (`keptIds`). */
const isGenerated = ({ id, external_id }: StoredContent): boolean =>
  external_id === id || /^row-[0-9a-f]{32}-\d+$/.test(external_id);

/** The references that a stored row may have been sent with. */
function referencesOf(row: StoredContent): string[] {
  if (isGenerated(row)) return [];
  const { external_id } = row;
  const reference = withoutSuffix(external_id);
  return reference === undefined ? [external_id] : [external_id, reference];
}

interface Comparable {
  references: readonly string[];
  words: string;
}
interface Sent extends Comparable {
  planned: PlannedRow;
}
interface Stored extends Comparable {
  row: StoredContent;
}

/** Rows with a reference and no text don't match by text. */
const textKeys = ({ references, words }: Comparable): string[] =>
  words === '' && references.length > 0 ? [] : [words];

/** From the surest way to the least. Two rows match if they share a key. */
const matchKinds: readonly { by: Match['by']; keysOf: (one: Comparable) => readonly string[] }[] = [
  { by: 'reference', keysOf: ({ references, words }) => references.map((reference) => `${reference}\0${words}`) },
  { by: 'reference', keysOf: ({ references }) => references },
  { by: 'text', keysOf: textKeys },
  { by: 'amount', keysOf: () => [''] },
];

/** Pairs rows of one connection, day, amount and currency, each at most once, whatever the order of the request. */
export function matchGroup(sent: readonly PlannedRow[], stored: readonly StoredContent[]): Map<PlannedRow, Match> {
  const [only] = stored;
  if (only !== undefined && stored.length === 1 && sent.length === 1)
    return new Map(sent.map((planned) => [planned, { stored: only, by: matchKind(planned, only) }]));
  const matches = new Map<PlannedRow, Match>();
  let open = sortByContent(sent.map(toSent));
  let free = stored.map((row): Stored => ({ row, references: referencesOf(row), words: wordsOf(row) }));
  for (const { by, keysOf } of matchKinds) {
    const pairs = pairByKey(open, free, keysOf);
    for (const [one, found] of pairs) matches.set(one.planned, { stored: found.row, by });
    open = open.filter((one) => !pairs.has(one));
    const taken = new Set(pairs.values());
    free = free.filter((one) => !taken.has(one));
  }
  return matches;
}

/** Pairs each row with the first free one that shares a key. */
function pairByKey(open: readonly Sent[], free: readonly Stored[], keysOf: (one: Comparable) => readonly string[]) {
  const byKey = new Map<string, Stored[]>();
  for (const one of free.toReversed())
    for (const key of keysOf(one)) {
      const same = byKey.get(key);
      if (same === undefined) byKey.set(key, [one]);
      else same.push(one);
    }
  const pairs = new Map<Sent, Stored>();
  const taken = new Set<Stored>();
  for (const one of open) {
    for (const key of keysOf(one)) {
      const same = byKey.get(key) ?? [];
      let found = same.pop();
      // Taken under another key.
      while (found !== undefined && taken.has(found)) found = same.pop();
      if (found === undefined) continue;
      taken.add(found);
      pairs.set(one, found);
      break;
    }
  }
  return pairs;
}

/** For rows that have no other candidate. */
function matchKind(planned: PlannedRow, stored: StoredContent): Match['by'] {
  const references = sentReferences(planned);
  const others = referencesOf(stored);
  if (references.some((one) => others.includes(one))) return 'reference';
  const [words, otherWords] = [wordsOf(planned.row), wordsOf(stored)];
  if (words !== otherWords) return 'amount';
  return textKeys({ references, words }).length > 0 && textKeys({ references: others, words }).length > 0
    ? 'text'
    : 'amount';
}

function sentReferences({ reference }: PlannedRow): string[] {
  return reference === undefined ? [] : [...new Set([reference, stemOf(reference)])];
}

function toSent(planned: PlannedRow): Sent {
  return { planned, references: sentReferences(planned), words: wordsOf(planned.row) };
}

/** Independent of the order of the request. */
function sortByContent(sent: readonly Sent[]): Sent[] {
  if (sent.length < 2) return [...sent];
  const keyed = sent.map((one) => {
    const { posted_at, description, posted_category, counterparty } = one.planned.row;
    return {
      one,
      key: JSON.stringify([posted_at, one.words, one.planned.reference, description, counterparty, posted_category]),
    };
  });
  return keyed.sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key))).map(({ one }) => one);
}
