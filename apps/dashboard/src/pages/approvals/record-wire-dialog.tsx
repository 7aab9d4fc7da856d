import { formatMoney, normalizeCurrency } from '@finhook/contracts/currency';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog } from '../../components/dialog.tsx';
import { Options, SelectField, TextField } from '../../components/field.tsx';
import { Form, formText } from '../../components/form.tsx';
import { MoneyInput } from '../../components/money-input.tsx';
import { type Company, useCompany } from '../../components/shell/company-context.ts';
import { connectionName } from '../../lib/connection-names.ts';
import { parseMoney } from '../../lib/parse-money.ts';
import { fieldError } from '../../lib/problem.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { useOperation } from '../../operation/use-operation.ts';
import { approvalNeed, type Wire, wireAmount } from './approval.view.ts';

export interface RecordWireDialogProps {
  onClose: () => void;
  onDone: (wire: Wire) => void;
}

export function RecordWireDialog({ onClose, onDone }: RecordWireDialogProps): React.JSX.Element {
  const company = useCompany();
  const [currency, setCurrency] = useState(company.base_currency);
  const [amount, setAmount] = useState('');
  const [fault, setFault] = useState<string>();
  const code = normalizeCurrency(currency);
  const record = useOperation('bank.wires.create', {
    done: ({ status }) => (status === 'pending' ? 'Wire recorded. Waiting for approval.' : 'Wire recorded.'),
    quiet: true,
    onDone(wire) {
      onClose();
      onDone(wire);
    },
  });
  const { error } = record;
  function submit(data: FormData): void {
    const parsed = wireAmount(amount, currency);
    setFault('fault' in parsed ? parsed.fault : undefined);
    if ('fault' in parsed) return;
    record.mutate({
      company_id: company.id,
      amount_cents: parsed.cents,
      currency,
      beneficiary: {
        name: formText(data, 'name') ?? '',
        bank_name: formText(data, 'bank_name'),
        account_last4: formText(data, 'account_last4') ?? '',
        country: formText(data, 'country')?.toUpperCase(),
      },
      memo: formText(data, 'memo'),
      connection_id: formText(data, 'connection_id'),
    });
  }
  return (
    <Dialog open onClose={onClose} title="Record wire" description="Records the request. No money moves.">
      <Form submit="Record wire" busy={record.isPending} error={error} onSubmit={submit} onCancel={onClose}>
        <div className="grid grid-cols-[1fr_6rem] gap-3">
          <MoneyInput
            label="Amount"
            name="amount"
            required
            currency={code ?? ''}
            value={amount}
            onChange={({ target }) => setAmount(target.value)}
            error={fault ?? fieldError(error, 'amount_cents')}
          />
          <TextField
            label="Currency"
            value={currency}
            maxLength={3}
            onChange={(event) => setCurrency(event.target.value.trim().toUpperCase())}
            error={fieldError(error, 'currency')}
          />
        </div>
        <Need amount={amount} currency={code ?? company.base_currency} company={company} />
        <BeneficiaryInputs error={error} />
        <TextField label="Memo" name="memo" placeholder="Invoice 1042" error={fieldError(error, 'memo')} />
        <ConnectionField company={company} error={fieldError(error, 'connection_id')} />
      </Form>
    </Dialog>
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

function BeneficiaryInputs({ error }: { error: unknown }): React.JSX.Element {
  return (
    <fieldset className="flex flex-col gap-4 rounded-lg border p-4">
      <legend className="px-1 text-sm font-semibold">Beneficiary</legend>
      <TextField label="Name" name="name" required error={fieldError(error, 'beneficiary/name')} />
      <TextField label="Bank" name="bank_name" error={fieldError(error, 'beneficiary/bank_name')} />
      <div className="grid grid-cols-2 gap-3">
        <TextField
          label="Last 4 of account"
          name="account_last4"
          required
          inputMode="numeric"
          maxLength={4}
          placeholder="4321"
          error={fieldError(error, 'beneficiary/account_last4')}
        />
        <TextField
          label="Country"
          name="country"
          maxLength={2}
          placeholder="US"
          error={fieldError(error, 'beneficiary/country')}
        />
      </div>
    </fieldset>
  );
}

function ConnectionField({ company, error }: { company: Company; error: string | undefined }): React.JSX.Element {
  const trpc = useTRPC();
  const connections = useQuery(trpc.bank.connections.list.queryOptions({ company_id: company.id, limit: 200 }));
  const open = connections.data?.data.filter(({ status }) => status !== 'disconnected') ?? [];
  return (
    <SelectField label="From connection" name="connection_id" error={error}>
      <option value="">Not specified</option>
      <Options values={open.map((connection) => [connection.id, connectionName(connection)])} />
    </SelectField>
  );
}
