import { Link } from '@tanstack/react-router';
import { type NamedRecord, recordName, routeOf } from './record-route.ts';

export function RecordLink({ record, text }: { record: NamedRecord; text?: string }): React.JSX.Element {
  const route = routeOf(record);
  const name = text ?? recordName(record);
  const shown = name ?? record.id;
  const style = name === undefined ? 'font-mono text-xs' : '';
  if (!route) return <span className={style}>{shown}</span>;
  return (
    <Link {...route} preload={false} className={`text-accent underline-offset-2 hover:underline ${style}`}>
      {shown}
    </Link>
  );
}
