import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { findingsOf, type HealthFinding, healthHeadline } from './data-health-tile.view.ts';
import { REFETCH_MS, useOverviewQueries } from './overview-queries.ts';
import { BigFigure, FreshnessMark, Tile } from './tile.tsx';

export function DataHealthTile({ companyId, className }: { companyId: string; className?: string }): React.JSX.Element {
  const query = useQuery({ ...useOverviewQueries(companyId).dataQuality, refetchInterval: REFETCH_MS });
  return (
    <Tile
      title="Data quality"
      query={query}
      className={className}
      actions={({ freshness }) => <FreshnessMark grade={freshness.grade} />}
    >
      {(quality) => (
        <>
          <BigFigure>{healthHeadline(quality)}</BigFigure>
          <dl className="mt-3 flex flex-col text-sm">
            {findingsOf(quality).map((finding) => (
              <Finding key={finding.id} finding={finding} />
            ))}
          </dl>
        </>
      )}
    </Tile>
  );
}

function Finding({ finding: { id, title, count, atLeast } }: { finding: HealthFinding }): React.JSX.Element {
  return (
    <div className="flex items-center justify-between gap-3 border-b py-1.5 last:border-b-0">
      <dt>
        <Link
          to="/data-quality"
          search={{ tab: id }}
          className="underline decoration-line-strong underline-offset-2 hover:decoration-current"
        >
          {title}
        </Link>
      </dt>
      <dd className={`tabular-nums ${count === 0 ? 'text-muted' : 'font-semibold text-warn'}`}>
        {count}
        {atLeast && ' or more'}
      </dd>
    </div>
  );
}
