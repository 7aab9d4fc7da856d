import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { Options, SelectField } from '../../components/field.tsx';
import { formText } from '../../components/form.tsx';
import { ActionMenu } from '../../components/menu.tsx';
import { Money } from '../../components/money.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { plural } from '../../lib/text.ts';
import { type Input, useTRPC } from '../../lib/trpc.ts';
import type { RowSelection } from '../../lib/use-selection.ts';
import { usePermission } from '../../lib/use-session.ts';
import { OperationButton, OperationDialog } from '../../operation/operation-dialog.tsx';
import { CategoryDialog } from './category-dialog.tsx';
import { CategoryField } from './category-field.tsx';
import { MakeRule } from './make-rule.tsx';
import { changes, filteredText, flowClasses, NO_CLASS, sumsOf, type Transaction } from './transactions.view.ts';
import { type RowsProps, useChangeRows } from './use-change-rows.ts';

export type Selection = RowSelection<Transaction>;

export function SelectionBar({ selection }: { selection: Selection }): React.JSX.Element | null {
  const rows = [...selection.rows.values()];
  const [first] = rows;
  return (
    <section
      aria-label="Selection"
      className={
        first === undefined
          ? 'sr-only'
          : 'sticky bottom-3 z-20 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-xl border bg-surface px-4 py-3 shadow-lg'
      }
    >
      <p role="status" className="text-sm">
        {first !== undefined && (
          <>
            <span className="font-medium">{plural(rows.length, 'transaction')}</span>
            {sumsOf(rows).map(({ currency, cents }) => (
              <span key={currency}>
                {' · '}
                <Money cents={cents} currency={currency} coloured className="font-semibold" />
              </span>
            ))}
          </>
        )}
      </p>
      {first !== undefined && <SelectionActions rows={rows} first={first} onDone={selection.clear} />}
    </section>
  );
}

interface ActionsProps extends RowsProps {
  first: Transaction;
}

function SelectionActions({ rows, first, onDone }: ActionsProps): React.JSX.Element {
  const may = usePermission();
  const isOver = useCompany().status === 'dissolved';
  const { change, isChanging } = useChangeRows(rows, onDone);
  return (
    <div className="flex flex-wrap gap-2">
      {may('bank.transactions.update') && !isOver && (
        <>
          <ActionMenu
            label="Set class"
            items={[
              ...flowClasses.map(([flow_class, label]) => ({
                label,
                disabled: isChanging,
                onSelect: () => void change({ flow_class }),
              })),
              {
                label: NO_CLASS,
                disabled: isChanging,
                onSelect: () => void change({ flow_class: null }),
              },
            ]}
          >
            Set class
          </ActionMenu>
          <OperationButton size="small" operation="bank.transactions.update" label="Set category">
            {(close) => <CategoryDialog rows={rows} onDone={onDone} onClose={close} />}
          </OperationButton>
          <OperationButton size="small" operation="bank.transactions.update" label="Void">
            {(close) => <VoidDialog rows={rows} onDone={onDone} onClose={close} />}
          </OperationButton>
        </>
      )}
      {rows.length === 1 && <MakeRule transaction={first} />}
      <Button size="small" variant="quiet" onClick={onDone}>
        Clear
      </Button>
    </div>
  );
}

function VoidDialog({ rows, onDone, onClose }: RowsProps & { onClose: () => void }): React.JSX.Element {
  const { change, isChanging, error } = useChangeRows(rows, onDone);
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Void ${plural(rows.length, 'transaction')}?`}
      confirm="Void"
      danger
      busy={isChanging}
      onConfirm={() => void change({ voided: true }).then((isDone) => isDone && onClose())}
      error={error}
    >
      <p>
        Voided transactions count in no figure. They stay in lists and exports, and aren’t stored again if their sender
        repeats them. You can restore them.
      </p>
    </ConfirmDialog>
  );
}

type Filter = Input<'bank.transactions.bulk'>['filter'];

export function ChangeFiltered({ filter }: { filter: Filter }): React.JSX.Element {
  return (
    <OperationButton size="small" operation="bank.transactions.bulk" label="Change all filtered" needsCompany>
      {(close) => <ChangeDialog filter={filter} onClose={close} />}
    </OperationButton>
  );
}

function ChangeDialog({ filter, onClose }: { filter: Filter; onClose: () => void }): React.JSX.Element | null {
  const trpc = useTRPC();
  const { id: company_id } = useCompany();
  const counted = { ...asListFilter(filter), company_id, limit: 1, include: 'total_count' as const };
  const { data } = useQuery(trpc.bank.transactions.list.queryOptions(counted, { staleTime: 0 }));
  const count = data?.total_count;
  if (count === undefined) return null;
  return (
    <OperationDialog
      operation="bank.transactions.bulk"
      title={`Change ${plural(count, 'transaction')}`}
      description={filteredText(count)}
      submit={`Change ${plural(count, 'transaction')}`}
      done={({ updated }) => `${plural(updated, 'transaction')} changed.`}
      fixed={{ company_id, filter, expected_count: count }}
      fields={{
        set: {
          slot: (errorOf) => <ChangeFields error={errorOf('set')} />,
          read: (form) => ({
            value:
              formText(form, 'change') === CATEGORY
                ? { category: formText(form, 'category') }
                : changes.find(([value]) => value === formText(form, 'change'))?.[2],
          }),
        },
        reason: {},
      }}
      onClose={onClose}
    />
  );
}

const CATEGORY = 'category';

function ChangeFields({ error }: { error: string | undefined }): React.JSX.Element {
  const [chosen, setChosen] = useState('');
  const [text, setText] = useState('');
  const isCategory = chosen === CATEGORY;
  const { id } = useCompany();
  return (
    <>
      <SelectField
        name="change"
        label="Change to"
        error={isCategory ? undefined : error}
        required
        className="sm:col-span-2"
        value={chosen}
        onChange={({ target }) => setChosen(target.value)}
      >
        <option value="">Choose…</option>
        <Options values={[[CATEGORY, 'Set a category'], ...changes.map(([value, label]) => [value, label] as const)]} />
      </SelectField>
      {isCategory && (
        <CategoryField
          companyId={id}
          name="category"
          required
          className="sm:col-span-2"
          value={text}
          onChange={setText}
          error={error}
        />
      )}
    </>
  );
}

// The filters of both have the same names; only those of a body may be null.
function asListFilter(filter: Filter): Omit<Input<'bank.transactions.list'>, 'company_id'> {
  return filter as Omit<Input<'bank.transactions.list'>, 'company_id'>;
}
