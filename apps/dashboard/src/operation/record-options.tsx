import { useQueries, useQuery } from '@tanstack/react-query';
import { OlderCompanies } from '../components/company-choice.tsx';
import { Options } from '../components/field.tsx';
import { useTRPC } from '../lib/trpc.ts';
import { useCompanies } from '../lib/use-companies.ts';

const READ = 200;

export function CompanyOptions(): React.JSX.Element {
  const { all, hasMore } = useCompanies();
  return (
    <>
      <Options values={all.filter(({ status }) => status !== 'dissolved').map(({ id, name }) => [id, name])} />
      <OlderCompanies hasMore={hasMore} />
    </>
  );
}

export function AgentOptions({ companyId }: { companyId: string }): React.JSX.Element {
  const trpc = useTRPC();
  const agents = useQuery(trpc.agents.list.queryOptions({ company_id: companyId, limit: READ }));
  return <Options values={agents.data?.data.map(({ id, name }) => [id, name]) ?? []} />;
}

const openStatuses = ['open', 'waiting'] as const;

export function CaseOptions({ companyId }: { companyId: string }): React.JSX.Element {
  const trpc = useTRPC();
  const cases = useQueries({
    queries: openStatuses.map((status) => trpc.cases.list.queryOptions({ company_id: companyId, status, limit: READ })),
  });
  return <Options values={cases.flatMap(({ data }) => data?.data ?? []).map(({ id, title }) => [id, title])} />;
}
