import { z } from 'zod';
import { date, id, objectType, timestamp } from '../scalars.ts';
import { dryRun } from './dry-run.ts';
import { filing, filingType } from './filing.ts';
import { warnings } from './list.ts';

const obligationFrequency = z.enum(['monthly', 'quarterly', 'annual', 'biennial', 'once']);
export type ObligationFrequency = z.output<typeof obligationFrequency>;

const complianceStatus = z.enum(['upcoming', 'open', 'overdue', 'submitted']);
export type ComplianceStatus = z.output<typeof complianceStatus>;

const obligationBasis = z.enum(['official_page', 'statute', 'general_knowledge']);
export type ObligationBasis = z.output<typeof obligationBasis>;

const obligationTexts = {
  title: z.string().describe('Name of the obligation.'),
  filing_type: filingType.describe('Type of the filings that the obligation opens.'),
  jurisdiction: z.string().describe("ISO 3166 code of the authority's country or state, for example `US-DE`."),
  frequency: obligationFrequency.describe('How often it falls due.'),
  source: z
    .object({
      url: z.string().describe('Page of the authority, or the law that the rule comes from.'),
      basis: obligationBasis.describe(
        '`official_page` of the authority, `statute` for the text of the law, or `general_knowledge` if neither was available.',
      ),
      looked_up_on: date.describe('Day on which the source was last read.'),
    })
    .describe('Where the rule comes from.'),
  note: z.string().nullable().describe('Details or exceptions of the rule; null if there are none.'),
};

export const complianceDueDate = z
  .object({
    due_date: date.describe('Calendar day on which the obligation falls due.'),
    period_start: date.nullable().describe('First day of the period that it covers; null if it covers none.'),
    period_end: date.nullable().describe('Last day of the period that it covers; null if it covers none.'),
    filing_id: id('fil').nullable().describe('ID of the filing that was opened for it (`fil_…`); null before.'),
    status: complianceStatus.describe(
      "`upcoming` before its filing is opened, `open` after, `overdue` once the day has passed in the company's time zone, `submitted` when done.",
    ),
  })
  .meta({ id: 'ComplianceDueDate', description: 'One due date of an obligation.' });
export type ComplianceDueDate = z.output<typeof complianceDueDate>;

export const complianceItem = z
  .object({
    key: z
      .string()
      .meta({ examples: ['us-de.corporation_annual_report'] })
      .describe('Stable name of the obligation, for example `us-de.corporation_annual_report`.'),
    ...obligationTexts,
    next_due_date: date.nullable().describe('Earliest due date that is not submitted; null if all are.'),
    status: complianceStatus.describe('Most urgent state of its due dates: overdue, then open, upcoming, submitted.'),
    due_dates: z.array(complianceDueDate).describe('The due dates, earliest first.'),
  })
  .meta({ id: 'ComplianceItem', description: 'One obligation of a company with its due dates.' });
export type ComplianceItem = z.output<typeof complianceItem>;

export const complianceMatrix = z
  .object({
    object: objectType('compliance_matrix'),
    account_id: id('acct'),
    company_id: id('co'),
    resynced_at: timestamp
      .nullable()
      .describe('When the matrix was last resynced (UTC); null if it never was and is empty.'),
    jurisdictions: z.array(z.string()).describe('ISO 3166 codes of the authorities that the obligations are to.'),
    items_total: z.int().describe('Number of obligations.'),
    items: z.array(complianceItem).describe('The obligations.'),
  })
  .meta({
    id: 'ComplianceMatrix',
    description: 'The obligations of a company, derived from its entity type, country, jurisdiction and fiscal year.',
  });
export type ComplianceMatrix = z.output<typeof complianceMatrix>;

export const complianceResync = complianceMatrix
  .extend({
    resynced_at: timestamp.describe('When the resync ran (UTC).'),
    trigger: z.enum(['manual']).describe('What started the resync.'),
    window_start: date.meta({ description: "Day of the resync in the company's time zone." }),
    window_end: date.describe('Last day for which filings were opened: a year from `window_start`, less a day.'),
    items_added: z.int().describe('Obligations that are new since the last resync.'),
    items_changed: z.int().describe('Obligations whose due dates, filings or texts changed since the last resync.'),
    items_removed: z.int().describe('Obligations that no longer apply.'),
    filings_opened: z.int().describe('Filings that the resync opened, each with a `filing.due` event.'),
    filings_left_open: z
      .array(id('fil'))
      .describe(
        'IDs of open filings (`fil_…`) whose due dates no longer apply. They are not in the matrix; submit or leave them.',
      ),
  })
  .meta({ id: 'ComplianceResync', description: 'The compliance matrix after a resync, with what changed.' });
export type ComplianceResync = z.output<typeof complianceResync>;

const plannedFiling = filing
  .pick({ type: true, title: true, jurisdiction: true, period_start: true, period_end: true, due_date: true })
  .extend({
    obligation_key: z.string().describe('Obligation of the matrix that opens the filing.'),
    likely_duplicates: z
      .array(
        filing
          .pick({ id: true, title: true, due_date: true, status: true })
          .meta({ id: 'LikelyDuplicate', description: 'A stored filing that may be the same as a planned one.' }),
      )
      .describe(
        'Stored filings that may be the same: of the same type, with the same jurisdiction or none, due at most five days earlier or later, and created manually or opened by the same obligation. Filings whose titles name different forms are not the same.',
      ),
  })
  .meta({ id: 'PlannedFiling', description: 'A filing that a resync would open.' });
export type PlannedFiling = z.output<typeof plannedFiling>;

export const complianceResyncResult = complianceResync
  .extend({
    warnings: warnings.optional(),
    dry_run: dryRun,
    planned_filings: z
      .array(plannedFiling)
      .optional()
      .describe('The filings that the resync would open, by due date. Present only in a dry run.'),
    planned_changes: z
      .array(
        z
          .object({
            key: z.string().describe('Name of the obligation.'),
            change: z.enum(['added', 'changed', 'removed']).describe('What would happen to it in the matrix.'),
          })
          .meta({ id: 'PlannedChange', description: 'An obligation that a resync would add, change or remove.' }),
      )
      .optional()
      .describe('The obligations that would be added, changed or removed. Present only in a dry run.'),
  })
  .meta({
    id: 'ComplianceResyncResult',
    description: 'The compliance matrix after a resync, with what changed, or in a dry run what would change.',
  });
