import { z } from 'zod';
import { complianceResync } from '../records/compliance.ts';
import { filing } from '../records/filing.ts';
import { at, defineEvent, sampleActor, sampleOf } from './define-event.ts';

const group = 'Filings and compliance';

const sample = sampleOf(filing, {
  type: 'annual_report',
  title: 'Annual report and franchise tax of a corporation',
  jurisdiction: 'US-DE',
  period_start: '2026-01-01',
  period_end: '2026-12-31',
  due_date: '2027-03-01',
  status: 'open',
  overdue: false,
  obligation_key: 'us-de.corporation_annual_report',
});

const resync = sampleOf(complianceResync, {
  trigger: 'manual',
  window_start: '2026-03-02',
  window_end: '2027-03-01',
  jurisdictions: ['US-DE'],
  items_total: 1,
  items_added: 1,
  items_changed: 0,
  items_removed: 0,
  filings_opened: 1,
  filings_left_open: [],
  items: [
    {
      key: 'us-de.corporation_annual_report',
      title: sample.title,
      filing_type: 'annual_report',
      jurisdiction: 'US-DE',
      frequency: 'annual',
      source: {
        url: 'https://delcode.delaware.gov/title8/c005/index.html',
        basis: 'statute',
        looked_up_on: '2026-11-21',
      },
      note: null,
      next_due_date: sample.due_date,
      status: 'open',
      due_dates: [
        {
          due_date: sample.due_date,
          period_start: sample.period_start,
          period_end: sample.period_end,
          filing_id: sample.id,
          status: 'open',
        },
      ],
    },
  ],
});

export const filingEvents = {
  'filing.due': defineEvent({
    group,
    description: 'A new open filing is created.',
    data: filing,
    thin: ['object', 'id', 'company_id', 'status'],
    sample,
  }),
  'filing.submitted': defineEvent({
    group,
    description: 'An open filing is marked submitted.',
    data: filing.extend({
      days_before_due: z
        .int()
        .describe("Calendar days from the submission to the due date, in the company's time zone; negative if late."),
    }),
    thin: ['object', 'id', 'company_id', 'status'],
    sample: {
      ...sample,
      status: 'submitted',
      submitted_at: at,
      submitted_by: sampleActor,
      confirmation_number: 'DE-2026-118842',
      days_before_due: 364,
    },
  }),
  'compliance.resynced': defineEvent({
    group,
    description: 'The obligations of a company are updated.',
    data: complianceResync,
    thin: ['object', 'company_id', 'items_total', 'items_added', 'items_changed', 'items_removed', 'filings_opened'],
    sample: resync,
  }),
};

/** Endpoints receive it only if `events` lists it or `operational` is true. */
export const operationalFilingEvents = {
  'filing.reopened': defineEvent({
    group: 'Operational',
    description:
      'The submission of a filing was taken back within ten minutes. The filing is open again: undo what `filing.submitted` caused.',
    data: filing.extend({
      previous_confirmation_number: z
        .string()
        .nullable()
        .describe('Confirmation number of the submission that was taken back; null if it had none.'),
    }),
    thin: ['object', 'id', 'company_id', 'status'],
    sample: { ...sample, previous_confirmation_number: 'DE-2026-118842' },
  }),
};
