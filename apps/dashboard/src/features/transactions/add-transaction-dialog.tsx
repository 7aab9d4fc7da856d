import { useId, useState } from 'react';
import { fieldError } from '../../data/problem.ts';
import { type Outputs } from '../../data/trpc.ts';
import { useOperation } from '../../operation/use-operation.ts';
import { useCompany } from '../../shell/company-context.ts';
import { ConnectionList } from '../../ui/connection-list.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Form, formText } from '../../ui/form.tsx';
import { MoneyInput } from '../../ui/money-input.tsx';
import { useToast } from '../../ui/toast.tsx';
import { instantOf, localOf } from '../../ui/zoned-time.ts';
import { signedAmount } from './transactions.view.ts';

type Ingest = Outputs['bank']['transactions']['ingest'];

/** Adds one transaction by hand, as an integration would post it. */
export function AddTransactionDialog({ open, onClose }: { open: boolean; onClose: () => void }): React.JSX.Element {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Add a transaction"
      description="Recorded like a transaction posted by your integration. Can’t be changed afterwards."
    >
      <AddForm onClose={onClose} />
    </Dialog>
  );
}

/** Stored already under the same external id: nothing was added, and the form says so. */
function skippedBecause({ skipped_transactions: [skipped] }: Ingest): Error | undefined {
  if (!skipped) return undefined;
  const differs = skipped.differs.length === 0 ? 'It is the same.' : `It differs in ${skipped.differs.join(', ')}.`;
  return new Error(
    `Nothing was added: this connection has a transaction of the external id ${skipped.external_id}. ${differs} Give it another external id.`,
  );
}

function useAddTransaction(onClose: () => void, onSkipped: (reason: Error) => void) {
  const toast = useToast();
  return useOperation('bank.transactions.ingest', {
    quiet: true,
    onDone(output) {
      const skipped = skippedBecause(output);
      if (skipped) {
        onSkipped(skipped);
        return;
      }
      toast.good(['Transaction added.', ...output.warnings.map(({ message }) => message)].join(' '));
      onClose();
    },
  });
}

function AddForm({ onClose }: { onClose: () => void }): React.JSX.Element {
  const company = useCompany();
  const [currency, setCurrency] = useState(company.base_currency);
  const [faults, setFaults] = useState<{ amount?: string; posted_at?: string }>({});
  const [skipped, setSkipped] = useState<Error>();
  // The same for every try, so that one whose answer was lost is not stored twice.
  const [ownId] = useState(() => `manual-${crypto.randomUUID()}`);
  const add = useAddTransaction(onClose, setSkipped);
  const refused = (field: string): string | undefined => fieldError(add.error, field);
  function submit(data: FormData): void {
    const amount = signedAmount({
      amount: formText(data, 'amount'),
      currency,
      direction: formText(data, 'direction') ?? '',
    });
    const posted_at = instantOf(formText(data, 'posted_at') ?? '', company.timezone);
    setSkipped(undefined);
    setFaults({
      ...('fault' in amount && { amount: amount.fault }),
      ...(posted_at === undefined && { posted_at: 'Choose the day and the time.' }),
    });
    if ('fault' in amount || posted_at === undefined) return;
    add.mutate({
      company_id: company.id,
      external_id: formText(data, 'external_id') ?? ownId,
      posted_at,
      amount_cents: amount.cents,
      currency,
      description: formText(data, 'description'),
      counterparty: formText(data, 'counterparty'),
      category: formText(data, 'category'),
      connection_id: formText(data, 'connection_id'),
      source: 'dashboard',
    });
  }
  return (
    <Form
      submit="Add transaction"
      onSubmit={submit}
      onCancel={onClose}
      busy={add.isPending}
      error={skipped ?? add.error}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField label="Direction" name="direction" defaultValue="out">
          <option value="out">Money out</option>
          <option value="in">Money in</option>
        </SelectField>
        <TextField
          label="Currency"
          value={currency}
          onChange={(event) => setCurrency(event.target.value.toUpperCase())}
          maxLength={3}
          error={refused('currency')}
        />
        <MoneyInput
          label="Amount"
          name="amount"
          currency={currency}
          required
          error={faults.amount ?? refused('amount_cents')}
        />
        <TextField
          label="Posted at"
          name="posted_at"
          type="datetime-local"
          defaultValue={localOf(new Date().toISOString(), company.timezone)}
          hint={`In ${company.timezone}`}
          error={faults.posted_at ?? refused('posted_at')}
        />
      </div>
      <AboutFields refused={refused} />
    </Form>
  );
}

/** What may be told of it beside the money. */
function AboutFields({ refused }: { refused: (field: string) => string | undefined }): React.JSX.Element {
  const list = useId();
  return (
    <>
      <TextField label="Description" name="description" maxLength={2000} error={refused('description')} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label="Counterparty" name="counterparty" maxLength={255} error={refused('counterparty')} />
        <TextField label="Category" name="category" maxLength={100} error={refused('category')} />
        <TextField
          label="Connection id"
          name="connection_id"
          list={list}
          hint="Leave empty for unassigned"
          error={refused('connection_id')}
        />
        <ConnectionList id={list} />
        <TextField
          label="External id"
          name="external_id"
          maxLength={255}
          hint="Leave empty to generate one"
          error={refused('external_id')}
        />
      </div>
    </>
  );
}
