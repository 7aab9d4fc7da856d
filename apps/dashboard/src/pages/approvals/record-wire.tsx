import { connectionName } from '@finhook/contracts/connection-name';
import { formatMoney, normalizeCurrency } from '@finhook/contracts/currency';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { formText } from '../../components/form.tsx';
import { MoneyInput } from '../../components/money-input.tsx';
import { type Company, useCompany } from '../../components/shell/company-context.ts';
import { parseMoney } from '../../lib/parse-money.ts';
import { useTRPC } from '../../lib/trpc.ts';
import type { ParsedValue } from '../../operation/field-values.ts';
import { objectField } from '../../operation/object-field.tsx';
import { OperationButton, OperationDialog } from '../../operation/operation-dialog.tsx';
import { approvalNeed, type Wire, wireAmount } from './approval.view.ts';

const beneficiary = objectField('beneficiary', [
  ['name', 'Name', { required: true, className: 'col-span-2' }],
  ['bank_name', 'Bank', { className: 'col-span-2' }],
  ['account_last4', 'Last 4 of account', { required: true, inputMode: 'numeric', maxLength: 4, placeholder: '4321' }],
  ['country', 'Country', { maxLength: 2, placeholder: 'US' }],
]);

export function RecordWireButton(): React.JSX.Element {
  const navigate = useNavigate();
  return (
    <OperationButton variant="primary" operation="bank.wires.create" label="Record wire" needsCompany>
      {(close) => (
        <RecordWireDialog
          onClose={close}
          onDone={({ id }) => void navigate({ to: '/approvals/$approvalId', params: { approvalId: id } })}
        />
      )}
    </OperationButton>
  );
}

interface RecordWireDialogProps {
  onClose: () => void;
  onDone: (wire: Wire) => void;
}

function RecordWireDialog({ onClose, onDone }: RecordWireDialogProps): React.JSX.Element {
  const company = useCompany();
  const trpc = useTRPC();
  const connections = useQuery(trpc.bank.connections.list.queryOptions({ company_id: company.id, limit: 200 }));
  const open = connections.data?.data.filter(({ status }) => status !== 'disconnected') ?? [];
  return (
    <OperationDialog
      operation="bank.wires.create"
      title="Record wire"
      description="Records the request. No money moves."
      submit="Record wire"
      done={({ status }) => (status === 'pending' ? 'Wire recorded. Waiting for approval.' : 'Wire recorded.')}
      fixed={{ company_id: company.id }}
      fields={{
        currency: { half: true, required: true },
        amount_cents: {
          slot: (errorOf, currency) => (
            <AmountField company={company} currency={currency} error={errorOf('amount_cents')} />
          ),
          read: readAmount,
        },
        beneficiary: {
          slot: (...given) => (
            <fieldset className="grid grid-cols-2 gap-x-3 gap-y-4 rounded-lg border p-4">
              <legend className="px-1 text-sm font-semibold">Beneficiary</legend>
              {beneficiary.slot(...given)}
            </fieldset>
          ),
          read: beneficiary.read,
        },
        memo: { placeholder: 'Invoice 1042' },
        connection_id: {
          label: 'From account',
          none: 'Not specified',
          choices: open.map((connection) => [connection.id, connectionName(connection)] as const),
        },
      }}
      onClose={onClose}
      onDone={onDone}
    />
  );
}

function readAmount(data: FormData, currency: string): ParsedValue {
  const amount = wireAmount(formText(data, 'amount') ?? '', currency);
  return 'fault' in amount ? amount : { value: amount.cents };
}

interface AmountFieldProps {
  company: Company;
  currency: string;
  error: string | undefined;
}

function AmountField({ company, currency, error }: AmountFieldProps): React.JSX.Element {
  const [amount, setAmount] = useState('');
  const code = normalizeCurrency(currency);
  return (
    <>
      <MoneyInput
        label="Amount"
        name="amount"
        required
        currency={code ?? ''}
        value={amount}
        onChange={({ target }) => setAmount(target.value)}
        error={error}
      />
      <Need amount={amount} currency={code ?? company.base_currency} company={company} />
    </>
  );
}

function Need({ amount, currency, company }: { amount: string; currency: string; company: Company }) {
  const parsed = parseMoney(amount, currency);
  const threshold = formatMoney(company.wire_approval_threshold_cents, company.base_currency);
  const texts = {
    below: `Below the approval threshold of ${threshold}. No approval needed.`,
    reaches: `Reaches the approval threshold of ${threshold}. Another person must approve this wire within 3 days.`,
    other_currency: `Wires in ${currency} always need approval, because the threshold of ${threshold} isn’t converted.`,
  };
  return (
    <p role="status" className="rounded-md bg-sunken p-3 text-sm text-muted">
      {'cents' in parsed || currency !== company.base_currency
        ? texts[approvalNeed({ cents: 'cents' in parsed ? parsed.cents : 0, currency }, company)]
        : `Wires of ${threshold} or more need approval by another person.`}
    </p>
  );
}
