import { useNavigate } from '@tanstack/react-router';
import { CheckField, TextField } from '../../components/field.tsx';
import type { Company } from '../../components/shell/company-context.ts';
import { browserZone } from '../../lib/format-time.ts';
import { offeredZone } from '../../lib/zoned-time.ts';
import type { FieldOptions } from '../../operation/field-control.tsx';
import { OperationDialog } from '../../operation/operation-dialog.tsx';

const fields = {
  name: { half: true, required: true },
  legal_name: { half: true },
  entity_type: { half: true, none: 'Not specified' },
  country: { half: true, initial: 'US', required: true, hint: 'ISO 3166-1 code, like US' },
  jurisdiction: { half: true, hint: 'ISO 3166-2 code, like US-DE' },
  tax_id_last4: { half: true, label: 'Tax ID (last 4)' },
  base_currency: { half: true, required: true, initial: 'USD', hint: 'ISO 4217 code, like USD' },
  timezone: {
    half: true,
    label: 'Time zone',
    required: true,
    initial: offeredZone(browserZone()),
    hint: 'Days and months start in this IANA time zone, like America/New_York or UTC.',
  },
  fiscal_year_end: { half: true, label: 'Fiscal year ends', hint: 'Month and day, like 12-31' },
} satisfies Record<string, FieldOptions>;
const threshold = { half: true, label: 'Wire approval threshold' };

export function CreateCompanyDialog({ onClose }: { onClose: () => void }): React.JSX.Element {
  const navigate = useNavigate();
  return (
    <OperationDialog
      operation="companies.create"
      title="Create company"
      submit="Create company"
      done="Company created."
      fixed={{}}
      fields={{
        ...fields,
        wire_approval_threshold_cents: { ...threshold, initial: '' },
        status: {
          slot: () => (
            <CheckField
              label="Company is in formation"
              name="forming"
              hint="Adds formation steps for the entity type. The company becomes active once all required steps are complete."
            />
          ),
          read: (data) => ({ value: data.has('forming') ? 'forming' : 'active' }),
        },
      }}
      onClose={onClose}
      onDone={({ id }) =>
        void navigate({ to: '/companies/$companyId', params: { companyId: id }, search: { company: id } })
      }
    />
  );
}

export function EditCompanyDialog({ company, onClose }: { company: Company; onClose: () => void }): React.JSX.Element {
  return (
    <OperationDialog
      operation="companies.update"
      title={`Edit ${company.name}`}
      submit="Save company"
      done="Company saved."
      fixed={{ company_id: company.id }}
      record={company}
      fields={{
        ...fields,
        wire_approval_threshold_cents: {
          ...threshold,
          required: true,
          hint: 'Enter 0 to require approval for every wire.',
        },
      }}
      onClose={onClose}
    />
  );
}

/** Dissolves a company permanently. This can't be undone, so the user types its name. */
export function DissolveCompanyDialog({ company, onClose }: { company: Company; onClose: () => void }) {
  return (
    <OperationDialog
      operation="companies.dissolve"
      title={`Dissolve ${company.name}?`}
      submit="Dissolve company"
      danger
      done="Company dissolved."
      fixed={{ company_id: company.id }}
      fields={{ reason: {} }}
      onClose={onClose}
    >
      <p>The company’s records stay readable, but nothing can be added or changed. This can’t be undone.</p>
      <TextField
        label="Company name"
        required
        onInput={({ currentTarget: input }) => {
          const isSame = input.value.trim() === company.name.trim();
          input.setCustomValidity(isSame ? '' : `Enter the exact name: ${company.name}`);
        }}
      />
    </OperationDialog>
  );
}
