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
            The rows go to <strong className="text-text">{company.name}</strong>. Each is posted at noon of the bank’s
            day in the company’s time zone, {company.timezone}.
          </p>
          <div className="grid gap-4 sm:grid-cols-2">
            {accounts.map((each) => (
              <TextField
                key={keyOf(each)}
                label={accounts.length > 1 ? connectionLabel(each, isAlone(each)) : 'Connection'}
                name={fieldOf(each)}
                list={list}
                maxLength={255}
                required={each.account === ''}
                placeholder={each.connection_id ?? 'operating'}
                hint={
                  each.account === ''
                    ? 'The file names no account: a bank connection or a label of your own, the same for every file of this account.'
                    : `A bank connection or a label of your own. Empty: ${each.connection_id ?? each.account}.`
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
              <CurrencyField value={currency ?? ''} onChange={onCurrency} hint="Used where the file names none" />
            )}
          </div>
          <ConnectionList id={list} />
          {!may('cash.balances.upsert') && accounts.some(({ balances }) => balances > 0) && (
            <p className="text-sm">Your key lacks the permission cash:write, so the file’s balances are left out.</p>
          )}
        </Form>
      </div>
    </Panel>
  );
}

function connectionLabel({ account, currency }: AccountSummary, isAlone: boolean): string {
  return `Connection of ${account || 'the unnamed account'}${isAlone ? '' : ` in ${currency}`}`;
}
