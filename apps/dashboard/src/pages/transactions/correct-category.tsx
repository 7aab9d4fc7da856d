import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { CheckField } from '../../components/field.tsx';
import { useToast } from '../../components/toast.tsx';
import { plural } from '../../lib/text.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { usePermission } from '../../lib/use-session.ts';
import { useChangeSettings } from '../../operation/use-change-settings.ts';
import { useOperation } from '../../operation/use-operation.ts';
import { CategoryField } from './category-field.tsx';
import { MOST_RULES, ruleText, withRule } from './flow-rules.view.ts';
import { postedText, type Transaction } from './transactions.view.ts';

/** The category of a transaction, of the other ones of its counterparty, and of those to come. */
export function CorrectCategory({ transaction }: { transaction: Transaction }): React.JSX.Element {
  const { category, category_reason, company_id, counterparty } = transaction;
  const [typed, setTyped] = useState<string>();
  const [also, setAlso] = useState({ others: false, future: false });
  const text = typed ?? category ?? '';
  const next = text.trim();
  // After the rows have changed, a rule that could not be saved can be saved again.
  const isChanged = typed !== undefined && (next !== (category ?? '') || (also.future && next !== ''));
  const offers = useOffers(transaction, isChanged ? next : '');
  const [round, setRound] = useState(0);
  function reset(): void {
    setTyped(undefined);
    setAlso({ others: false, future: false });
    // A new form, because the dialog takes one in which somebody has typed for unsaved.
    setRound((now) => now + 1);
  }
  const { save, isSaving } = useSave(transaction, reset);
  function send(event: FormEvent): void {
    event.preventDefault();
    if (!isChanged || isSaving) return;
    void save({
      category: next === '' ? null : next,
      others: also.others ? offers.others : undefined,
      rule: also.future ? offers.rule : undefined,
    });
  }
  return (
    <form key={round} aria-label="Category" className="flex flex-col gap-3" onSubmit={send}>
      <div className="flex flex-wrap items-start gap-2">
        <CategoryField
          companyId={company_id}
          className="min-w-56 flex-1"
          value={text}
          initial={category ?? ''}
          onChange={setTyped}
          placeholder="None"
          hint={postedText(transaction)}
        />
        {category_reason === 'person' && !isChanged && (
          <Button className="mt-6" busy={isSaving} onClick={() => void save({ category: null })}>
            Use the posted one
          </Button>
        )}
      </div>
      {isChanged && (
        <>
          {offers.others !== undefined && (
            <CheckField
              label={`Also ${plural(offers.others - 1, 'other transaction')} of ${counterparty ?? ''} in “${category ?? ''}”`}
              checked={also.others}
              onChange={({ target }) => setAlso((now) => ({ ...now, others: target.checked }))}
            />
          )}
          {offers.rule !== undefined && (
            <CheckField
              label={`And future transactions with “${offers.rule}”`}
              hint="Creates a rule. It also changes existing transactions whose category nobody has set."
              checked={also.future}
              onChange={({ target }) => setAlso((now) => ({ ...now, future: target.checked }))}
            />
          )}
          <div className="flex gap-2">
            <Button type="submit" variant="primary" busy={isSaving}>
              Save category
            </Button>
            <Button variant="quiet" onClick={reset}>
              Cancel
            </Button>
          </div>
        </>
      )}
    </form>
  );
}

interface Offers {
  /** Number of transactions with its counterparty and category, this one included; undefined if there are no others. */
  others: number | undefined;
  /** Text of a rule for the counterparty. */
  rule: string | undefined;
}

/** Selects the rows with the counterparty and the present category of a transaction. */
function alike({ counterparty, category }: Transaction) {
  return { ...(counterparty !== null && { counterparty }), ...(category !== null && { category }) };
}

/** Offers for a new category; none for an empty one. No filter selects exactly the rows without a category. */
function useOffers(transaction: Transaction, next: string): Offers {
  const { company_id, counterparty, category } = transaction;
  const trpc = useTRPC();
  const may = usePermission();
  const isNamed = next !== '' && counterparty !== null;
  const hasOthers = isNamed && Boolean(category) && next !== category;
  const mayRule = isNamed && may('financials.settings.update');
  const list = useQuery(
    trpc.bank.transactions.list.queryOptions(
      { company_id, limit: 1, include: 'total_count', ...alike(transaction) },
      { enabled: hasOthers, staleTime: 0 },
    ),
  );
  const settings = useQuery(trpc.financials.settings.get.queryOptions({ company_id }, { enabled: mayRule }));
  const count = list.data?.total_count ?? 0;
  const hasRoom = settings.data !== undefined && settings.data.flow_rules.length < MOST_RULES;
  return {
    others: hasOthers && count > 1 ? count : undefined,
    rule: mayRule && hasRoom ? ruleText({ counterparty, description: '' }) : undefined,
  };
}

interface Save {
  category: string | null;
  others?: number | undefined;
  rule?: string | undefined;
}

function useSave(transaction: Transaction, onDone: () => void) {
  const { id, company_id } = transaction;
  const toast = useToast();
  const [isSaving, setSaving] = useState(false);
  const one = useOperation('bank.transactions.update');
  const all = useOperation('bank.transactions.bulk');
  const rules = useChangeSettings(company_id, {});
  async function save({ category, others, rule }: Save): Promise<void> {
    setSaving(true);
    try {
      if (others === undefined) await one.mutateAsync({ company_id, transaction_id: id, category });
      else {
        const filter = alike(transaction);
        await all.mutateAsync({ company_id, filter, set: { category }, expected_count: others });
      }
      if (rule !== undefined && category !== null)
        await rules.mutateAsync((stored) => withRule(stored, { contains: rule, category }));
      const rows = plural(others ?? 1, 'transaction');
      toast.good(`Category of ${rows} changed.${rule === undefined ? '' : ' A rule sets it for future ones.'}`);
      onDone();
    } catch {
      // The operation has shown the error; what was done before it stays.
    } finally {
      setSaving(false);
    }
  }
  return { save, isSaving };
}
