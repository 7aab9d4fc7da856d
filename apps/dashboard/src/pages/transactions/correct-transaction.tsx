import { OperationButton, OperationDialog } from '../../operation/operation-dialog.tsx';
import { MakeRule } from './make-rule.tsx';
import { flowClasses, type Transaction } from './transactions.view.ts';

export function CorrectTransaction({ transaction }: { transaction: Transaction }): React.JSX.Element {
  const { id: transaction_id, company_id, voided_at } = transaction;
  const isVoided = voided_at !== null;
  return (
    <div className="flex flex-wrap gap-2">
      <OperationButton size="small" operation="bank.transactions.update" label="Set class" here>
        {(close) => (
          <OperationDialog
            operation="bank.transactions.update"
            title="What the transaction is in the figures"
            submit="Set class"
            done="Class set."
            fixed={{ company_id, transaction_id }}
            record={transaction}
            fields={{
              flow_class: { label: 'Class', none: 'Let the rules decide', choices: flowClasses },
              reason: {},
            }}
            onClose={close}
          />
        )}
      </OperationButton>
      <OperationButton size="small" operation="bank.transactions.update" label={isVoided ? 'Restore' : 'Void'} here>
        {(close) => (
          <OperationDialog
            operation="bank.transactions.update"
            title={isVoided ? 'Restore the transaction' : 'Void the transaction'}
            description={
              isVoided
                ? 'It counts in the figures again.'
                : 'It counts in no figure. It stays in lists and exports, and sending it again does not store it a second time.'
            }
            submit={isVoided ? 'Restore' : 'Void'}
            done={isVoided ? 'Transaction restored.' : 'Transaction voided.'}
            danger={!isVoided}
            fixed={{ company_id, transaction_id, voided: !isVoided }}
            fields={{ reason: {} }}
            onClose={close}
          />
        )}
      </OperationButton>
      <MakeRule transaction={transaction} />
    </div>
  );
}
