import { useQuery } from '@tanstack/react-query';
import { Button } from '../../components/button.tsx';
import { visibleText } from '../../lib/text.ts';
import { useTransactionLabels } from '../../lib/transaction-labels.ts';
import { useTRPC } from '../../lib/trpc.ts';
import type { Transaction } from './transactions.view.ts';

const MOST_SUGGESTED = 3;

/** The other categories of its vendor's transactions, the most frequent first; without any, those of the company. */
function useSuggested({ company_id, counterparty, category }: Transaction): readonly string[] {
  const trpc = useTRPC();
  const hasVendor = counterparty !== null;
  const own = useQuery(
    trpc.bank.transactions.list.queryOptions(
      { company_id, limit: 1, include: 'labels', ...(hasVendor && { counterparty }) },
      { enabled: hasVendor },
    ),
  );
  const others = (known: ReadonlyArray<{ category: string }> = []): string[] =>
    known.map((label) => label.category).filter((name) => name !== category);
  const ofVendor = others(own.data?.labels?.categories);
  const isAlone = ofVendor.length === 0 && (!hasVendor || !own.isPending);
  const { labels } = useTransactionLabels(company_id, isAlone);
  return (isAlone ? others(labels?.categories) : ofVendor).slice(0, MOST_SUGGESTED);
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
