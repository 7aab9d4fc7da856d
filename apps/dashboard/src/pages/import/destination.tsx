import { useId } from 'react';
import { ConnectionList } from '../../components/connection-list.tsx';
import { TextField } from '../../components/field.tsx';
import { Form, formText } from '../../components/form.tsx';
import { Panel } from '../../components/page.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { usePermission } from '../../lib/use-session.ts';
import type { FileSummary, ReadOptions } from './bank-file-reader.ts';
import { CurrencyField } from './currency-field.tsx';

export interface DestinationProps {
  summary: FileSummary;
  currency: string;
  onCurrency: (currency: string) => void;
  busy: boolean;
  onEdit: () => void;
  onCheck: (given: Pick<ReadOptions, 'connection' | 'source'>) => void;
}

/** Where the rows go. Its button starts the dry run. */
export function Destination({ summary, currency, onCurrency, busy, onEdit, onCheck }: DestinationProps) {
  const company = useCompany();
  const may = usePermission();
  const list = useId();
  const { format } = summary;
  const accounts = [...new Set(summary.accounts.map(({ account }) => account))];
  const fieldOf = (account: string): string => `connection ${account}`;
  return (
    <Panel title="Destination">
      <div onInput={onEdit}>
        <Form
          submit="Check file"
          busy={busy}
          onSubmit={(data) => {
            const source = formText(data, 'source');
            onCheck({
              connection: Object.fromEntries(
                accounts.flatMap((account) => {
                  const connection = formText(data, fieldOf(account));
                  return connection === undefined ? [] : [[account, connection]];
                }),
              ),
              ...(source !== undefined && { source }),
            });
          }}
        >
          <p className="max-w-prose text-sm text-muted">
            The rows go to <strong className="text-text">{company.name}</strong>. Each is posted at noon of the bank’s
            day in the company’s time zone, {company.timezone}.
          </p>
          <div className="grid gap-4 sm:grid-cols-2">
            {accounts.map((account) => (
              <TextField
                key={account}
                label={accounts.length > 1 ? `Connection of ${account || 'the unnamed account'}` : 'Connection'}
                name={fieldOf(account)}
                list={list}
                maxLength={255}
                placeholder={account === '' ? 'operating' : account}
                hint={
                  account === ''
                    ? 'A bank connection or a label of your own, the same for every file of this account. Empty: unassigned.'
                    : 'A bank connection or a label of your own. Empty: the account number.'
                }
              />
            ))}
            <TextField
              label="Source"
              name="source"
              maxLength={100}
              placeholder={`file:${format}`}
              hint="Label of the rows’ origin"
            />
            {(format === 'ofx' || format === 'bai2') && (
              <CurrencyField value={currency} onChange={onCurrency} hint="Used where the file names none" />
            )}
          </div>
          <ConnectionList id={list} />
          {!may('cash.balances.upsert') && summary.accounts.some(({ balances }) => balances > 0) && (
            <p className="text-sm">Your key lacks the permission cash:write, so the file’s balances are left out.</p>
          )}
        </Form>
      </div>
    </Panel>
  );
}
