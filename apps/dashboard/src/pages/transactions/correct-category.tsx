import { type FormEvent, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { CheckField } from '../../components/field.tsx';
import { plural, visibleText } from '../../lib/text.ts';
import { CategoryField } from './category-field.tsx';
import { SuggestedCategories } from './category-suggestions.tsx';
import { type Others, useOffers, useSaveCategory } from './save-category.ts';
import { postedText, type Transaction } from './transactions.view.ts';

/** The category of a transaction, of the other ones of its counterparty, and of those to come. */
export function CorrectCategory({ transaction }: { transaction: Transaction }): React.JSX.Element {
  const { category, category_reason, company_id, counterparty, posted_category } = transaction;
  const [typed, setTyped] = useState<string>();
  const [also, setAlso] = useState({ others: false, future: false });
  const text = typed ?? category ?? '';
  const next = text.trim();
  // After the rows have changed, a rule that could not be saved can be saved again.
  const isChanged = typed !== undefined && (next !== (category ?? '') || (also.future && next !== ''));
  const offers = useOffers(transaction, isChanged ? next : '');
  const [form, setForm] = useState({ round: 0, hasFocus: false });
  function reset(hasFocus = false): void {
    setTyped(undefined);
    setAlso({ others: false, future: false });
    // A new form, because the dialog takes one in which somebody has typed for unsaved.
    setForm(({ round }) => ({ round: round + 1, hasFocus }));
  }
  const { save, isSaving } = useSaveCategory(transaction, reset);
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
    <form key={form.round} aria-label="Category" className="flex flex-col gap-3" onSubmit={send}>
      <div className="flex flex-wrap items-start gap-2">
        <CategoryField
          companyId={company_id}
          className="min-w-56 flex-1"
          value={text}
          initial={category ?? ''}
          onChange={setTyped}
          onRestore={() => reset(true)}
          autoFocus={form.hasFocus}
          placeholder="None"
          hint={postedText(transaction)}
        />
        {category_reason === 'person' && !isChanged && (
          <Button className="max-w-full sm:mt-6" busy={isSaving} onClick={() => void save({ category: null })}>
            <span className="truncate">
              Reset to {posted_category === null ? 'none' : visibleText(posted_category)}
            </span>
          </Button>
        )}
      </div>
      {!isChanged && (
        <SuggestedCategories
          transaction={transaction}
          isSaving={isSaving}
          onChoose={(chosen) => void save({ category: chosen })}
        />
      )}
      {isChanged && (
        <>
          {offers.others !== undefined && (
            <CheckField
              label={`Also ${plural(offers.others.count - 1, 'other transaction')} of ${counterparty ?? ''} in “${category ?? ''}”`}
              hint={voidedHint(offers.others)}
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
            <Button variant="quiet" onClick={() => reset()}>
              Cancel
            </Button>
          </div>
        </>
      )}
    </form>
  );
}

function voidedHint({ voided }: Others): string | undefined {
  return voided ? `${plural(voided, 'voided transaction')} among them.` : undefined;
}
