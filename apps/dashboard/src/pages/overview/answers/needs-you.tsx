import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../../components/button.tsx';
import { Panel } from '../../../components/page.tsx';
import { useCompany } from '../../../components/shell/company-context.ts';
import { useInbox } from '../../../components/shell/inbox.ts';
import { useNow } from '../../../components/time.tsx';
import { formatCount } from '../../../lib/format-number.ts';
import { visibleText } from '../../../lib/text.ts';
import { usePermission } from '../../../lib/use-session.ts';
import { todayIn } from '../../../lib/zoned-time.ts';
import { useEndpoints, useUndelivered } from '../../settings/webhooks/use-endpoints.ts';
import { useCash, useMissingRates, useOverviewQueries, useSeriesName } from '../overview-queries.ts';
import { Answers, useQuestions } from './answers.tsx';
import { type Need, needsOf } from './needs.view.ts';
import { useCriticalFlags } from './use-critical-flags.ts';

/** What waits for a person, a line with a button for each; nothing if nothing does. */
export function NeedsYou(): React.JSX.Element | null {
  const needs = useNeeds();
  const questions = useQuestions();
  if (needs.length === 0 && questions.length === 0) return null;
  return (
    <Panel title="Needs you">
      <ul className="flex flex-col divide-y">
        {needs.map((need) => (
          <li key={need.id} className="flex items-center justify-between gap-4 py-2 first:pt-0 last:pb-0">
            <p className="min-w-0 text-sm wrap-anywhere">
              <NeedText need={need} />
            </p>
            <Link {...need.link} className={buttonClass('plain', 'small')} aria-label={`${need.action}: ${need.text}`}>
              {need.action}
            </Link>
          </li>
        ))}
      </ul>
      {questions.length > 0 && <Answers questions={questions} />}
    </Panel>
  );
}

function useNeeds(): Need[] {
  const { id, timezone } = useCompany();
  const { waiting } = useInbox();
  const overdue = useQuery(useOverviewQueries(id).overdueFilings).data;
  const cash = useCash(id).data;
  const endpoints = useEndpoints().data?.data ?? [];
  const may = usePermission();
  const { flags, newestRead } = useCriticalFlags(id);
  return needsOf({
    companyId: id,
    waiting,
    flags,
    agentsRead: newestRead,
    overdue,
    cash,
    endpoints,
    ratesMissing: useMissingRates(id).missing,
    mayPutRates: may('fxRates.put'),
    nameOf: useSeriesName(id),
    now: useNow(),
    today: todayIn(timezone),
  });
}

function NeedText({ need: { text, endpointId } }: { need: Need }): React.JSX.Element {
  return (
    <>
      {visibleText(text)}
      {endpointId !== undefined && <Undelivered endpointId={endpointId} />}
    </>
  );
}

function Undelivered({ endpointId }: { endpointId: string }): string {
  const { data: count = 0 } = useUndelivered(endpointId);
  return count === 0 ? '' : `, ${formatCount(count)} undelivered`;
}
