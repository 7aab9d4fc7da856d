import type { ComplianceItem } from '@finhook/contracts';
import type { DueDate } from './due-dates.ts';
import { LOOKED_UP_ON, type Obligation } from './obligation.ts';

export type ObligationTexts = Pick<
  ComplianceItem,
  'title' | 'filing_type' | 'jurisdiction' | 'frequency' | 'source' | 'note'
>;

export interface MatrixRow extends DueDate {
  key: string;
  texts: ObligationTexts;
  /** The filing opened for it; null before the twelve months that precede the due date. */
  filing_id: string | null;
}

/** Unique within a company. */
export function rowName({ key, due_date }: { key: string; due_date: string }): string {
  return `${key}|${due_date}`;
}

const approximateDay =
  'Computed from the day on which the company was created here: its day of formation is not known.';

/** The note says if the due dates are computed from the day on which the company was created here. */
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
