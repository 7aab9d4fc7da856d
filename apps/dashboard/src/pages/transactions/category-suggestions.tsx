import { Button } from '../../components/button.tsx';
import { visibleText } from '../../lib/text.ts';
import { useTransactionLabels } from '../../lib/transaction-labels.ts';
import type { Transaction } from './transactions.view.ts';

const MOST_SUGGESTED = 3;

/** The other categories of its vendor's transactions, the most frequent first; without any, those of the company. */
function useSuggested({ company_id, counterparty, category }: Transaction): readonly string[] {
  const own = useTransactionLabels(company_id, counterparty !== null, counterparty ?? undefined);
  const othersOf = ({ labels }: typeof own): string[] =>
    (labels?.categories ?? []).map((label) => label.category).filter((name) => name !== category);
  const ofVendor = counterparty === null ? [] : othersOf(own);
  const isAlone = ofVendor.length === 0 && (counterparty === null || own.labels !== undefined || own.isError);
  const all = useTransactionLabels(company_id, isAlone);
  // Labels that another part has read are there even without `enabled`: they would change under the pointer.
  return (isAlone ? othersOf(all) : ofVendor).slice(0, MOST_SUGGESTED);
}

interface SuggestedCategoriesProps {
  transaction: Transaction;
  isSaving: boolean;
  onChoose: (category: string) => void;
}

/** Each of them is one press. */
export function SuggestedCategories({
  transaction,
  isSaving,
  onChoose,
}: SuggestedCategoriesProps): React.JSX.Element | null {
  const suggested = useSuggested(transaction);
  if (suggested.length === 0) return null;
  return (
    <div role="group" aria-label="Change the category to" className="flex flex-wrap items-center gap-2">
      <span aria-hidden className="text-sm text-muted">
        Change to
      </span>
      {suggested.map((name) => (
        <Button key={name} size="small" disabled={isSaving} className="max-w-full" onClick={() => onChoose(name)}>
          <span className="truncate">{visibleText(name)}</span>
        </Button>
      ))}
    </div>
  );
}
