import { useId, useState } from 'react';
import { fieldError } from '../../data/problem.ts';
import { type Outputs } from '../../data/trpc.ts';
import { useOperation } from '../../operation/use-operation.ts';
import { useCompany } from '../../shell/company-context.ts';
import { ConnectionList } from '../../ui/connection-list.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, formText } from '../../ui/form.tsx';
import { formatDay } from '../../ui/format-time.ts';
import { MoneyInput } from '../../ui/money-input.tsx';
import { moneyText, parseMoney } from '../../ui/parse-money.ts';
import { useToast } from '../../ui/toast.tsx';
import { todayIn } from '../../ui/zoned-time.ts';
import type { Balance } from './balances.view.ts';

export interface BalanceFormDialogProps {
  open: boolean;
  onClose: () => void;
  /** The balance to correct; a new one without it. */
  balance?: Balance | undefined;
}

/** Posts a balance: a new one, or the right figure for the day and connection of one that is there. */
export function BalanceFormDialog({ open, onClose, balance }: BalanceFormDialogProps): React.JSX.Element {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={balance ? 'Correct the balance' : 'Add a balance'}
      description={
        balance
          ? `Replaces the balance of ${formatDay(balance.as_of)} of ${balance.connection_id ?? 'no connection'}. The previous value stays in the activity log.`
          : 'One balance per connection and day. Posting again replaces it.'
      }
    >
      <BalanceForm balance={balance} onClose={onClose} />
    </Dialog>
  );
}

const said: Record<Outputs['cash']['balances']['upsert']['result'], string> = {
  created: 'Balance added.',
  updated: 'Balance corrected.',
  unchanged: 'No change: the balance is the same.',
};

function BalanceForm({ balance, onClose }: Omit<BalanceFormDialogProps, 'open'>): React.JSX.Element {
  const toast = useToast();
  const company = useCompany();
  const list = useId();
  const [currency, setCurrency] = useState(balance?.currency ?? company.base_currency);
  const [fault, setFault] = useState<string>();
  const post = useOperation('cash.balances.upsert', {
    quiet: true,
    onDone({ result, warnings }) {
      toast.good([said[result], ...warnings.map(({ message }) => message)].join(' '));
      onClose();
    },
  });
  const refused = (field: string): string | undefined => fieldError(post.error, field);
  function submit(data: FormData): void {
    const amount = parseMoney(formText(data, 'balance') ?? '', currency);
    setFault('fault' in amount ? amount.fault : undefined);
    if ('fault' in amount) return;
    post.mutate({
      company_id: company.id,
      as_of: balance?.as_of ?? formText(data, 'as_of') ?? '',
      balance_cents: amount.cents,
      currency,
      connection_id: balance ? balance.connection_id : formText(data, 'connection_id'),
      source: 'dashboard',
    });
  }
  return (
    <Form
      submit={balance ? 'Correct balance' : 'Add balance'}
      onSubmit={submit}
      onCancel={onClose}
      busy={post.isPending}
      error={post.error}
    >
      {!balance && (
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label="As of"
            name="as_of"
            type="date"
            defaultValue={todayIn(company.timezone)}
            hint="End-of-day balance"
            error={refused('as_of')}
          />
          <TextField
            label="Connection id"
            name="connection_id"
            list={list}
            hint="Leave empty for unassigned"
            error={refused('connection_id')}
          />
          <ConnectionList id={list} />
        </div>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <MoneyInput
          label="Balance"
          name="balance"
          currency={currency}
          required
          defaultValue={balance && moneyText(balance.balance_cents, balance.currency)}
          hint="Negative when overdrawn"
          error={fault ?? refused('balance_cents')}
        />
        <TextField
          label="Currency"
          value={currency}
          onChange={(event) => setCurrency(event.target.value.toUpperCase())}
          maxLength={3}
          error={refused('currency')}
        />
      </div>
    </Form>
  );
}
