import { useState } from 'react';
import { SelectField } from '../../components/field.tsx';
import { formText } from '../../components/form.tsx';
import { MoneyInput } from '../../components/money-input.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import type { Outputs } from '../../lib/trpc.ts';
import { localOf } from '../../lib/zoned-time.ts';
import { OperationDialog } from '../../operation/operation-dialog.tsx';
import type { ErrorOf } from '../../operation/operation-form.tsx';
import { signedAmount } from './transactions.view.ts';

type Ingest = Outputs['bank']['transactions']['ingest'];

function skippedBecause({ skipped_transactions: [skipped] }: Ingest): Error | undefined {
  if (!skipped) return undefined;
  const { external_id, differs } = skipped;
  const difference = differs.length === 0 ? 'identical' : `different in ${differs.join(', ')}`;
  return new Error(
    `Not added: this account already has a transaction with the external ID ${external_id} (${difference}). Use another external ID.`,
  );
}

function AmountFields({ currency, errorOf }: { currency: string; errorOf: ErrorOf }): React.JSX.Element {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField label="Direction" name="direction" defaultValue="out">
        <option value="out">Money out</option>
        <option value="in">Money in</option>
      </SelectField>
      <MoneyInput label="Amount" name="amount" currency={currency} required error={errorOf('amount_cents')} />
    </div>
  );
}

function readAmount(data: FormData, currency: string): { value: number } | { fault: string } {
  const amount = signedAmount({
    amount: formText(data, 'amount'),
    currency,
    direction: formText(data, 'direction') ?? '',
  });
  return 'fault' in amount ? amount : { value: amount.cents };
}

export function AddTransactionDialog({ onClose }: { onClose: () => void }): React.JSX.Element {
  const company = useCompany();
  const [skipped, setSkipped] = useState<Error>();
  // The same for each retry, so that a request whose response was lost is not stored twice.
  const [ownId] = useState(() => `manual-${crypto.randomUUID()}`);
  return (
    <OperationDialog
      operation="bank.transactions.ingest"
      title="Add transaction"
      description="You can’t change the amount and texts of a transaction later, but you can void it."
      submit="Add transaction"
      done={(output) =>
        skippedBecause(output) === undefined
          ? ['Transaction added.', ...output.warnings.map(({ message }) => message)].join(' ')
          : undefined
      }
      staysOpen={(output) => {
        const why = skippedBecause(output);
        setSkipped(why);
        return why !== undefined;
      }}
      error={skipped}
      fixed={{ company_id: company.id, external_id: ownId, source: 'dashboard' }}
      fields={{
        amount_cents: {
          slot: (errorOf, currency) => <AmountFields currency={currency} errorOf={errorOf} />,
          read: readAmount,
        },
        currency: { half: true, required: true },
        posted_at: { half: true, required: true, initial: localOf(new Date().toISOString(), company.timezone) },
        description: {},
        counterparty: { half: true, label: 'Vendor (optional)' },
        category: { half: true },
        connection_id: { half: true, label: 'Account ID', hint: 'Leave empty if it has no account' },
        external_id: {
          half: true,
          label: 'External ID (optional)',
          hint: 'Leave empty to generate one',
        },
      }}
      onClose={onClose}
    />
  );
}
