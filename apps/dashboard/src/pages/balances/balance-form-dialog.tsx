import { useCompany } from '../../components/shell/company-context.ts';
import { formatDay } from '../../lib/format-time.ts';
import type { Outputs } from '../../lib/trpc.ts';
import { todayIn } from '../../lib/zoned-time.ts';
import { OperationDialog } from '../../operation/operation-dialog.tsx';

export type Balance = Outputs['cash']['balances']['get'];
type Posted = Outputs['cash']['balances']['upsert'];

const messages: Record<Posted['result'], string> = {
  created: 'Balance added.',
  updated: 'Balance corrected.',
  unchanged: 'No change.',
};

function resultText({ result, warnings }: Posted): string {
  return [messages[result], ...warnings.map(({ message }) => message)].join(' ');
}

const amount = {
  balance_cents: { label: 'Balance', half: true, required: true, hint: 'Negative when overdrawn' },
  currency: { half: true, required: true },
};

export function AddBalanceDialog({ onClose }: { onClose: () => void }): React.JSX.Element {
  const company = useCompany();
  return (
    <OperationDialog
      operation="cash.balances.upsert"
      title="Add balance"
      description="Each connection has one balance per day. Adding another replaces it."
      submit="Add balance"
      done={resultText}
      fixed={{ company_id: company.id, source: 'dashboard' }}
      fields={{
        as_of: { half: true, initial: todayIn(company.timezone), hint: 'End-of-day balance' },
        connection_id: { half: true, label: 'Connection ID', hint: 'Leave empty for unassigned' },
        ...amount,
      }}
      onClose={onClose}
    />
  );
}

export function CorrectBalanceDialog({ balance, onClose }: { balance: Balance; onClose: () => void }) {
  const company = useCompany();
  const { as_of, connection_id } = balance;
  return (
    <OperationDialog
      operation="cash.balances.upsert"
      title="Correct balance"
      description={`Replaces the balance of ${connection_id ?? 'Unassigned'} on ${formatDay(as_of)}. The previous value stays in the activity log.`}
      submit="Correct balance"
      done={resultText}
      fixed={{ company_id: company.id, as_of, connection_id, source: 'dashboard' }}
      record={balance}
      sendsAll
      fields={amount}
      onClose={onClose}
    />
  );
}
