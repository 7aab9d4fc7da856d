import { useConnectionNames } from '../data/use-connection-names.ts';
import { useCompany } from '../shell/company-context.ts';

/** What a field for a `connection_id` offers (its `list`): it may hold any text, and the company has these. */
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
