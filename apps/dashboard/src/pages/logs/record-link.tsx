import { Link } from '@tanstack/react-router';
import { type NamedRecord, recordName, routeOf } from './record-route.ts';

export function RecordLink({ record, text }: { record: NamedRecord; text?: string }): React.JSX.Element {
  const place = routeOf(record);
  const name = text ?? recordName(record);
  const shown = name ?? record.id;
  const look = name === undefined ? 'font-mono text-xs' : '';
  if (!place) return <span className={look}>{shown}</span>;
  return (
    <Link {...place} preload={false} className={`text-accent underline-offset-2 hover:underline ${look}`}>
      {shown}
    </Link>
  );
}
