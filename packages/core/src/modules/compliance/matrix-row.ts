import type { ComplianceItem } from '@finhook/contracts';
import type { DueDate } from './due-dates.ts';
import { LOOKED_UP_ON, type Obligation } from './obligation.ts';

/** What the matrix tells of an obligation beside its due dates. */
export type ObligationTexts = Pick<
  ComplianceItem,
  'title' | 'filing_type' | 'jurisdiction' | 'frequency' | 'source' | 'note'
>;

/** One due date of one obligation of a company, as the matrix holds it. */
export interface MatrixRow extends DueDate {
  key: string;
  texts: ObligationTexts;
  /** The filing that was opened for it; null while it lies beyond the coming twelve months. */
  filingId: string | null;
}

/** Names a due date of an obligation within its company. */
export function rowName({ key, dueDate }: { key: string; dueDate: string }): string {
  return `${key}|${dueDate}`;
}

const approximateDay =
  'Computed from the day on which the company was created here: its day of formation is not known.';

/** An obligation's texts; one whose dates hang on the formation says what stands for its day. */
export function textsOf(obligation: Obligation): ObligationTexts {
  const { title, type, jurisdiction, frequency, source, note, due } = obligation;
  const byFormation = due.kind === 'anniversary_month' || due.kind === 'after_anniversary_year';
  const notes = [note, byFormation ? approximateDay : undefined].filter((text) => text !== undefined);
  return {
    title,
    filing_type: type,
    jurisdiction,
    frequency,
    source: { url: source.url, basis: source.basis, looked_up_on: LOOKED_UP_ON },
    note: notes.length === 0 ? null : notes.join(' '),
  };
}
