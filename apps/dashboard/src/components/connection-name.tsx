import { Link } from '@tanstack/react-router';
import type { NamedConnection } from '../lib/use-connection-names.ts';

export interface ConnectionNameProps {
  id: string | null;
  names: ReadonlyMap<string, NamedConnection>;
}

export function ConnectionName({ id, names }: ConnectionNameProps): React.JSX.Element {
  if (id === null) return <span className="text-muted">Unassigned</span>;
  const known = names.get(id);
  if (known?.registered !== true) return <span title={id}>{id}</span>;
  return (
    <Link
      to="/connections/$connectionId"
      params={{ connectionId: id }}
      title={id}
      className="text-accent hover:underline"
    >
      {known.name}
    </Link>
  );
}
