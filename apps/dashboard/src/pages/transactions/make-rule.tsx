import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { Dialog } from '../../components/dialog.tsx';
import { Options, SelectField, TextField } from '../../components/field.tsx';
import { Form, formText } from '../../components/form.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { fieldError } from '../../lib/problem.ts';
import { plural } from '../../lib/text.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { OperationButton } from '../../operation/operation-dialog.tsx';
import { useChangeSettings } from '../../operation/use-change-settings.ts';
import { directionNames, MOST_RULES, ruleText, withRule } from './flow-rules.view.ts';
import { flowClasses, type Transaction } from './transactions.view.ts';

export function MakeRule({ transaction }: { transaction: Transaction }): React.JSX.Element {
  return (
    <OperationButton size="small" operation="financials.settings.update" label="Make a rule" needsCompany>
      {(close) => <RuleDialog transaction={transaction} onClose={close} />}
    </OperationButton>
  );
}

function RuleDialog({ transaction, onClose }: { transaction: Transaction; onClose: () => void }): React.JSX.Element {
  const trpc = useTRPC();
  const { id: company_id } = useCompany();
  const settings = useQuery(trpc.financials.settings.get.queryOptions({ company_id })).data;
  const [text, setText] = useState(ruleText(transaction) ?? '');
  const save = useChangeSettings(company_id, {
    done: 'Rule saved. Figures are recalculated.',
    onDone: onClose,
    quiet: true,
  });
  const isFull = settings !== undefined && settings.flow_rules.length >= MOST_RULES;
  function send(data: FormData): void {
    const flow_class = flowClasses.find(([value]) => value === formText(data, 'flow_class'))?.[0];
    const side = formText(data, 'direction');
    const direction = side === 'in' || side === 'out' ? side : undefined;
    if (flow_class === undefined) return;
    save.mutate((stored) => withRule(stored, { contains: text.trim(), flow_class, ...(direction && { direction }) }));
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Make a rule"
      description="Applies to stored and future transactions whose category, vendor or description contains the text. If several rules match, the newest one applies. What a person set on a transaction is kept."
    >
      {isFull ? (
        <p className="text-sm">
          The company has {MOST_RULES} rules, the most allowed. Remove one in the company settings first.
        </p>
      ) : (
        <Form
          submit="Save rule"
          onSubmit={send}
          onCancel={onClose}
          busy={save.isPending || settings === undefined}
          error={save.error}
        >
          <TextField
            label="Text"
            value={text}
            onChange={({ target }) => setText(target.value)}
            required
            minLength={3}
            maxLength={100}
            hint={<Matches text={text} />}
            error={fieldError(save.error, 'flow_rules/0/contains')}
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <SelectField label="Direction" name="direction" defaultValue={transaction.amount_cents < 0 ? 'out' : 'in'}>
              <Options values={[['', 'In and out'], ...Object.entries(directionNames)]} />
            </SelectField>
            <SelectField label="Class" name="flow_class" defaultValue={transaction.flow_class ?? 'transfer'}>
              <Options values={flowClasses.map(([value, label]) => [value, label])} />
            </SelectField>
          </div>
        </Form>
      )}
    </Dialog>
  );
}

function Matches({ text }: { text: string }): React.JSX.Element {
  const trpc = useTRPC();
  const { id: company_id } = useCompany();
  const q = useDeferredValue(text.trim());
  const { data } = useQuery(
    trpc.bank.transactions.list.queryOptions(
      { company_id, q, limit: 1, include: 'total_count' },
      { enabled: q.length >= 3, staleTime: 60_000 },
    ),
  );
  const count = data?.total_count;
  return (
    <>
      {count === undefined || q.length < 3
        ? 'Enter at least three characters.'
        : `Found in the vendor or description of ${plural(count, 'stored transaction')}.`}
    </>
  );
}
