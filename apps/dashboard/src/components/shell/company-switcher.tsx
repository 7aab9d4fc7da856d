import { useNavigate, useRouter } from '@tanstack/react-router';
import { OlderCompanies } from '../company-choice.tsx';
import { Options } from '../field.tsx';
import { Skeleton } from '../states.tsx';
import type { Company } from './company-context.ts';

const lists = {
  '/cases/$caseId': '/cases',
  '/companies/$companyId': '/companies',
  '/connections/$connectionId': '/connections',
  '/events/$eventId': '/logs',
} as const;
const isRecord = (path: string | undefined): path is keyof typeof lists => path !== undefined && path in lists;

/** Parameters that name a record, an account or a plan of the company. */
const ofCompany = [
  'account',
  'changes',
  'changes_in',
  'compare',
  'connection_id',
  'filing',
  'open',
  'snapshot',
  'what_if',
] as const;
const withoutThose = Object.fromEntries(ofCompany.map((name) => [name, undefined]));

export function CompanySwitcher({
  companies,
  company,
  hasMore,
  isLoading,
}: {
  companies: readonly Company[];
  company: Company | undefined;
  hasMore: boolean;
  isLoading: boolean;
}) {
  const navigate = useNavigate();
  const router = useRouter();
  function choose(chosen: string): void {
    const path = router.state.matches.at(-1)?.fullPath;
    if (isRecord(path)) void navigate({ to: lists[path], search: { company: chosen } });
    else void navigate({ to: '.', search: (search) => ({ ...search, ...withoutThose, company: chosen }) });
  }
  // The same size as the select, to prevent a layout shift.
  if (isLoading) return <Skeleton className="h-9 flex-1 sm:w-44 sm:flex-none" />;
  if (companies.length === 0) return <span className="flex-1 text-sm text-muted sm:flex-none">No companies yet</span>;
  return (
    <select
      aria-label="Company"
      value={company?.id ?? ''}
      onChange={(event) => choose(event.target.value)}
      className="min-h-9 min-w-0 flex-1 truncate rounded-md border border-line-strong bg-surface px-2 text-sm font-medium sm:max-w-80 sm:flex-initial"
    >
      {!company && <option value="">Choose a company</option>}
      <Options
        values={companies.map(({ id, name, status }) => [id, status === 'active' ? name : `${name} (${status})`])}
      />
      <OlderCompanies hasMore={hasMore} />
    </select>
  );
}
