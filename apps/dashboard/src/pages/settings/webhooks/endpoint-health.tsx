import { Link } from '@tanstack/react-router';
import { Instant } from '../../../components/time.tsx';
import type { Note } from './endpoint-health.view.ts';
import { useUndelivered } from './use-endpoints.ts';

export function HealthNotes({ notes }: { notes: readonly Note[] }): React.JSX.Element | null {
  if (notes.length === 0) return null;
  return (
    <ul className="flex flex-col gap-1 text-sm [&_time]:whitespace-normal">
      {notes.map(({ text, at }) => (
        <li key={text}>
          {text}
          {at !== undefined && (
            <>
              {' '}
              <Instant at={at} seconds />.
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

export function Undelivered({ endpointId }: { endpointId: string }): React.JSX.Element {
  const { data: count } = useUndelivered(endpointId);
  if (count === undefined) return <span className="text-muted">…</span>;
  if (count === 0) return <span className="tabular-nums">0</span>;
  return (
    <Link
      to="/settings/webhooks"
      search={{ tab: 'deliveries', status: 'undelivered', endpoint_id: endpointId }}
      className="text-accent tabular-nums underline"
      aria-label={`${count.toLocaleString('en')} undelivered. View deliveries`}
    >
      {count.toLocaleString('en')}
    </Link>
  );
}
