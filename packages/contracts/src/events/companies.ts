import { actor } from '../records/api-key.ts';
import { changeFields } from '../records/change-fields.ts';
import { company, stepWithProgress } from '../records/company.ts';
import { timestamp } from '../scalars.ts';
import { at, defineEvent, sampleActor, sampleOf } from './define-event.ts';

const group = 'Companies';

const sample = sampleOf(company, {
  name: 'Acme Robotics',
  legal_name: 'Acme Robotics, Inc.',
  entity_type: 'c_corp',
  country: 'US',
  jurisdiction: 'US-DE',
  tax_id_last4: '6789',
  base_currency: 'USD',
  timezone: 'America/New_York',
  fiscal_year_end: '12-31',
  status: 'active',
  formation: { completed_steps: 0, total_steps: 0, steps: [] },
  wire_approval_threshold_cents: 1_000_000,
  metadata: {},
});

export const companyEvents = {
  'company.created': defineEvent({
    group,
    description: 'A company is created.',
    data: company,
    thin: ['object', 'id', 'status'],
    sample,
  }),
  'company.updated': defineEvent({
    group,
    description: 'Company fields are changed.',
    data: company.extend(changeFields),
    thin: ['object', 'id', 'status'],
    sample: { ...sample, changed: ['timezone'], previous: { timezone: 'UTC' } },
  }),
  'company.dissolved': defineEvent({
    group,
    description: 'A company is dissolved.',
    data: company.extend({
      dissolved_at: timestamp.describe('When the company was dissolved (UTC).'),
      dissolved_by: actor.describe('Who dissolved the company.'),
    }),
    thin: ['object', 'id', 'status'],
    sample: {
      ...sample,
      status: 'dissolved',
      dissolved_at: at,
      dissolution_reason: 'Merged into Acme Holding',
      dissolved_by: sampleActor,
    },
  }),
  'company.formation.step_completed': defineEvent({
    group,
    description: 'A formation step is completed.',
    data: stepWithProgress,
    thin: ['object', 'company_id', 'key', 'status', 'formation'],
    sample: sampleOf(stepWithProgress, {
      key: 'bylaws_adopted',
      label: 'Bylaws adopted',
      position: 4,
      required: true,
      status: 'completed',
      completed_at: at,
      completed_by: sampleActor,
      formation: { completed_steps: 4, total_steps: 9 },
    }),
  }),
};
