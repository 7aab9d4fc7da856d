import { useId } from 'react';
import { ConnectionList } from '../../components/connection-list.tsx';
import { TextField } from '../../components/field.tsx';
import { Form, formText } from '../../components/form.tsx';
import { Panel } from '../../components/page.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { usePermission } from '../../lib/use-session.ts';
import type { AccountSummary, FileSummary } from './bank-file-reader.ts';
import { CurrencyField } from './currency-field.tsx';

export interface DestinationProps {
  summary: FileSummary;
  currency: string | undefined;
  onCurrency: (currency: string) => void;
  busy: boolean;
  onEdit: (connectionOf?: string) => void;
  onCheck: (given: { connection: Record<string, string>; source?: string }) => void;
}

export function Destination({ summary, currency, onCurrency, busy, onEdit, onCheck }: DestinationProps) {
  const company = useCompany();
  const may = usePermission();
  const list = useId();
  const { format, accounts } = summary;
  const isAlone = ({ account }: AccountSummary): boolean =>
    accounts.filter((other) => other.account === account).length === 1;
  const keyOf = (each: AccountSummary): string => (isAlone(each) ? each.account : `${each.account}/${each.currency}`);
  const fieldOf = (each: AccountSummary): string => `connection ${keyOf(each)}`;
  return (
    <Panel title="Destination">
      <div
        onInput={({ target }) => {
          const edited = accounts.find((each) => target instanceof HTMLInputElement && target.name === fieldOf(each));
          onEdit(edited && keyOf(edited));
        }}
      >
        <Form
          submit="Check file"
          busy={busy}
          onSubmit={(data) => {
            const source = formText(data, 'source');
            onCheck({
              connection: Object.fromEntries(
                accounts.flatMap((account) => {
                  const connection = formText(data, fieldOf(account));
                  return connection === undefined ? [] : [[keyOf(account), connection]];
                }),
              ),
              ...(source !== undefined && { source }),
            });
          }}
        >
          <p className="max-w-prose text-sm text-muted">
            The rows are stored in <strong className="text-text">{company.name}</strong>, each at noon of its day in the
            company’s time zone, {company.timezone}.
          </p>
          <div className="grid gap-4 sm:grid-cols-2">
            {accounts.map((each) => (
              <TextField
                key={keyOf(each)}
                label={accounts.length > 1 ? connectionLabel(each, isAlone(each)) : 'Account'}
                name={fieldOf(each)}
                list={list}
                maxLength={255}
                required={each.account === ''}
                placeholder={each.connection_id ?? 'operating'}
                hint={
                  each.account === ''
                    ? 'The file names no account. Choose a bank account or enter a label of your own, and use it for every file of this account.'
                    : `Choose a bank account or enter a label of your own. Leave empty for ${each.connection_id ?? each.account}.`
                }
              />
            ))}
            <TextField
              label="Source"
              name="source"
              maxLength={100}
              placeholder={`file:${format}`}
              hint="Where the transactions come from"
            />
            {(format === 'ofx' || format === 'bai2') && (
              <CurrencyField
                value={currency ?? ''}
                onChange={onCurrency}
                hint="Used where the file names no currency"
              />
            )}
          </div>
          <ConnectionList id={list} />
          {!may('cash.balances.upsert') && accounts.some(({ balances }) => balances > 0) && (
            <p className="text-sm">
              Your key can’t store balances, so the file’s balances are left out. Storing them requires the cash:write
              permission.
            </p>
          )}
        </Form>
      </div>
    </Panel>
  );
}

function connectionLabel({ account, currency }: AccountSummary, isAlone: boolean): string {
  return `Account for ${account || 'the unnamed account'}${isAlone ? '' : ` in ${currency}`}`;
}
