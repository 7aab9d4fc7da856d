import { useState } from 'react';
import { fieldError } from '../../data/problem.ts';
import type { Company } from '../../shell/company-context.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { MoneyInput } from '../../ui/money-input.tsx';
import { moneyText } from '../../ui/parse-money.ts';
import { entityTypes, offeredZone } from './company-fields.view.ts';

export interface CompanyFieldsProps {
  record?: Company;
  error: unknown;
  thresholdFault: string | undefined;
}

/** The fields of a company, for a new one and for one that is changed. */
export function CompanyFieldset({ record, error, thresholdFault }: CompanyFieldsProps): React.JSX.Element {
  const [currency, setCurrency] = useState(record?.base_currency ?? 'USD');
  const of = (name: string) => ({ name, error: fieldError(error, name) });
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField label="Name" required maxLength={200} defaultValue={record?.name} {...of('name')} />
      <TextField label="Legal name (optional)" defaultValue={record?.legal_name ?? ''} {...of('legal_name')} />
      <SelectField label="Entity type" defaultValue={record?.entity_type ?? ''} {...of('entity_type')}>
        <option value="">Not specified</option>
        {entityTypes.map((name) => (
          <option key={name} value={name}>
            {name.replace('_', ' ')}
          </option>
        ))}
      </SelectField>
      <TextField
        label="Country"
        maxLength={2}
        required={record !== undefined}
        defaultValue={record?.country ?? 'US'}
        hint="ISO 3166-1, like US"
        {...of('country')}
      />
      <TextField
        label="Jurisdiction (optional)"
        defaultValue={record?.jurisdiction ?? ''}
        hint="ISO 3166-2, like US-DE"
        {...of('jurisdiction')}
      />
      <TextField
        label="Last four digits of the tax id (optional)"
        inputMode="numeric"
        maxLength={4}
        defaultValue={record?.tax_id_last4 ?? ''}
        {...of('tax_id_last4')}
      />
      <TextField
        label="Base currency"
        maxLength={3}
        required={record !== undefined}
        defaultValue={currency}
        onChange={(event) => setCurrency(event.target.value)}
        hint="ISO 4217, like USD"
        {...of('base_currency')}
      />
      <TextField
        label="Time zone"
        required={record !== undefined}
        defaultValue={record?.timezone ?? offeredZone(Intl.DateTimeFormat().resolvedOptions().timeZone)}
        hint="IANA name with its place, like America/New_York, or UTC: months and days are counted in it"
        {...of('timezone')}
      />
      <TextField
        label="Fiscal year ends (optional)"
        defaultValue={record?.fiscal_year_end ?? ''}
        hint="Month and day, like 12-31"
        {...of('fiscal_year_end')}
      />
      <MoneyInput
        label="Wire approval threshold"
        name="threshold"
        currency={currency}
        defaultValue={record ? moneyText(record.wire_approval_threshold_cents, record.base_currency) : ''}
        error={thresholdFault ?? fieldError(error, 'wire_approval_threshold_cents')}
      />
    </div>
  );
}
