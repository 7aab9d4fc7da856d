import { z } from 'zod';
import { date, id, timestamp } from '../scalars.ts';
import { filingType } from './filing.ts';

export const obligationFrequency = z.enum(['monthly', 'quarterly', 'annual', 'biennial', 'once']);
export type ObligationFrequency = z.output<typeof obligationFrequency>;

/**
 * Where a due date stands: `upcoming` no filing is opened yet, `open` its filing is, `overdue` the day has passed in the
 * company's time zone without a submitted filing, `submitted` it is done.
 */
export const complianceStatus = z.enum(['upcoming', 'open', 'overdue', 'submitted']);
export type ComplianceStatus = z.output<typeof complianceStatus>;

/** What a rule rests on: the authority's own page, the text of the law, or neither was at hand when it was written. */
export const obligationBasis = z.enum(['official_page', 'statute', 'general_knowledge']);
export type ObligationBasis = z.output<typeof obligationBasis>;

/** The texts of an obligation as they were when the matrix was last resynced. */
export const obligationTexts = {
  title: z.string(),
  filing_type: filingType,
  jurisdiction: z.string(),
  frequency: obligationFrequency,
  source: z.object({
    url: z.string().meta({ description: "The authority's page or the law that the rule comes from" }),
    basis: obligationBasis,
    looked_up_on: date,
  }),
  note: z.string().nullable(),
};

export const complianceDueDate = z
  .object({
    due_date: date,
    period_start: date.nullable(),
    period_end: date.nullable(),
    filing_id: id('fil').nullable(),
    status: complianceStatus,
  })
  .meta({ id: 'ComplianceDueDate' });
export type ComplianceDueDate = z.output<typeof complianceDueDate>;

/** One obligation of a company with its due dates, the earliest first. */
export const complianceItem = z
  .object({
    key: z.string().meta({ examples: ['us-de.corporation_annual_report'] }),
    ...obligationTexts,
    next_due_date: date.nullable().meta({ description: 'The earliest due date that is not submitted' }),
    status: complianceStatus.meta({
      description: 'The most pressing of its due dates: overdue, then open, upcoming, submitted',
    }),
    due_dates: z.array(complianceDueDate),
  })
  .meta({ id: 'ComplianceItem' });
export type ComplianceItem = z.output<typeof complianceItem>;

/** What a company owes to whom and when, computed from its entity type, country, jurisdiction and fiscal year. */
export const complianceMatrix = z
  .object({
    object: z.literal('compliance_matrix'),
    account_id: id('acct'),
    company_id: id('co'),
    resynced_at: timestamp.nullable().meta({ description: 'null: never resynced, so the matrix is empty' }),
    jurisdictions: z.array(z.string()),
    items_total: z.int(),
    items: z.array(complianceItem),
  })
  .meta({ id: 'ComplianceMatrix' });
export type ComplianceMatrix = z.output<typeof complianceMatrix>;

/** The matrix after a resync, with what the resync did. */
export const complianceResync = complianceMatrix
  .extend({
    resynced_at: timestamp,
    trigger: z.enum(['manual']),
    window_start: date.meta({ description: "Today in the company's time zone" }),
    window_end: date.meta({ description: 'The last day for which filings were opened, a year less a day later' }),
    items_added: z.int(),
    items_changed: z.int().meta({ description: 'Obligations whose due dates, filings or texts differ from before' }),
    items_removed: z.int(),
    filings_opened: z.int(),
    filings_left_open: z.array(id('fil')).meta({
      description: 'Open filings of due dates that no longer apply: out of the matrix, and yours to submit or leave',
    }),
  })
  .meta({ id: 'ComplianceResync' });
export type ComplianceResync = z.output<typeof complianceResync>;
