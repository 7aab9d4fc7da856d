import { useConnectionNames } from '../lib/connection-names.ts';
import { useCompany } from './shell/company-context.ts';

/** The `list` of a `connection_id` field: suggests the company's connections, but any text is valid. */
export function ConnectionList({ id }: { id: string }): React.JSX.Element {
  const names = useConnectionNames(useCompany().id);
  return (
    <datalist id={id}>
      {[...names.values()].map((connection) => (
        <option key={connection.id} value={connection.id} label={connection.name} />
      ))}
    </datalist>
  );
}
