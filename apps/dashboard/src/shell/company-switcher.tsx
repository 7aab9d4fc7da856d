import { useNavigate } from '@tanstack/react-router';
import type { Company } from './company-context.ts';

/** Chooses the company that the pages are about; the choice stands in the address. */
export function CompanySwitcher({
  companies,
  company,
}: {
  companies: readonly Company[];
  company: Company | undefined;
}) {
  const navigate = useNavigate();
  if (companies.length === 0) return <span className="text-sm text-muted">No company yet</span>;
  return (
    <select
      aria-label="Company"
      value={company?.id ?? ''}
      onChange={(event) => void navigate({ to: '.', search: (search) => ({ ...search, company: event.target.value }) })}
      className="min-h-9 max-w-[60vw] truncate rounded-md border border-line-strong bg-surface px-2 text-sm font-medium sm:max-w-80"
    >
      {!company && <option value="">Choose a company</option>}
      {companies.map(({ id, name, status }) => (
        <option key={id} value={id}>
          {status === 'active' ? name : `${name} (${status})`}
        </option>
      ))}
    </select>
  );
}
