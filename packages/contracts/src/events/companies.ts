import { type Company, company } from '../records/company.ts';
import { defineEvent, notYetEmitted } from './define-event.ts';
import { at, sampleId } from './samples.ts';

const group = 'Companies';

const sample: Company = {
  id: sampleId('co'),
  object: 'company',
  account_id: sampleId('acct'),
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
  wire_approval_threshold_cents: 1_000_000,
  metadata: {},
  dissolved_at: null,
  dissolution_reason: null,
  created_at: at,
  updated_at: at,
};

export const companyEvents = {
  'company.created': defineEvent({
    group,
    description: 'A company is created via onboarding or `/api/v1/companies`.',
    data: company,
    sample,
  }),
  'company.updated': notYetEmitted(group, 'Company fields are changed.'),
  'company.dissolved': notYetEmitted(group, 'A company is dissolved.'),
  'company.formation.step_completed': notYetEmitted(group, 'A formation milestone is recorded.'),
};
