import { useState } from 'react';
import { SelectField, TextField } from '../../../components/field.tsx';
import { Form, formText } from '../../../components/form.tsx';
import { MoneyInput } from '../../../components/money-input.tsx';
import { formatMonth } from '../../../lib/format-time.ts';
import { monthAfter } from '../../../lib/periods.ts';
import { signedAmount } from '../../transactions/transactions.view.ts';
import type { Change } from './changes.view.ts';

const MONTHS_AHEAD = 36;

interface ChangeFormProps {
  currency: string;
  /** The current month. */
  month: string;
  onAdd: (change: Change) => void;
}

/** A change to add to the forecast. */
export function ChangeForm({ currency, month, onAdd }: ChangeFormProps): React.JSX.Element {
  const [every, setEvery] = useState<Change['every']>('month');
  const [from, setFrom] = useState(monthAfter(month, 1));
  const [fault, setFault] = useState<string>();
  const months = Array.from({ length: MONTHS_AHEAD }, (_, i) => monthAfter(month, i));
  function add(data: FormData): void {
    const amount = signedAmount({
      amount: formText(data, 'amount'),
      currency,
      direction: formText(data, 'direction') ?? 'out',
    });
    setFault('fault' in amount ? amount.fault : undefined);
    if ('fault' in amount) return;
    const until = every === 'month' ? formText(data, 'until') : undefined;
    onAdd({
      label: formText(data, 'label') ?? '',
      amount_cents: amount.cents,
      every,
      from,
      ...(until !== undefined && { until }),
    });
  }
  return (
    <Form submit="Add change" onSubmit={add}>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label="What changes" name="label" required maxLength={100} placeholder="Two engineers" />
        <MoneyInput label="Amount" name="amount" currency={currency} required error={fault} />
        <SelectField label="Direction" name="direction" defaultValue="out">
          <option value="out">Money out</option>
          <option value="in">Money in</option>
        </SelectField>
        <SelectField
          label="How often"
          value={every}
          onChange={({ target }) => setEvery(target.value === 'once' ? 'once' : 'month')}
        >
          <option value="month">Each month</option>
          <option value="once">Once</option>
        </SelectField>
        <SelectField
          label={every === 'once' ? 'Month' : 'From'}
          value={from}
          onChange={({ target }) => setFrom(target.value)}
        >
          <MonthOptions months={months} />
        </SelectField>
        {every === 'month' && (
          <SelectField label="Until" name="until" defaultValue="">
            <option value="">No end</option>
            <MonthOptions months={months.filter((one) => one >= from)} />
          </SelectField>
        )}
      </div>
    </Form>
  );
}

function MonthOptions({ months }: { months: readonly string[] }): React.JSX.Element[] {
  return months.map((one) => (
    <option key={one} value={one}>
      {formatMonth(one)}
    </option>
  ));
}
