import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { StatusBadge } from '../../../components/badge.tsx';
import { DescriptionList } from '../../../components/description-list.tsx';
import { RecordDialog } from '../../../components/dialog.tsx';
import { AgentName } from '../../../components/links.tsx';
import { TwoLines } from '../../../components/table-cells.tsx';
import { Ago, Instant } from '../../../components/time.tsx';
import { actorName } from '../../../lib/text.ts';
import { useTRPC } from '../../../lib/trpc.ts';
import { useCompanies } from '../../../lib/use-companies.ts';
import { type ApiKey, scopeLabel } from './keys.view.ts';

export function KeyDetails({ id, onClose }: { id: string; onClose: () => void }): React.JSX.Element {
  const trpc = useTRPC();
  const query = useQuery(trpc.apiKeys.get.queryOptions({ key_id: id }));
  return (
    <RecordDialog query={query} noun="API key" title={({ name }) => name} onClose={onClose}>
      {(key) => <KeyFacts apiKey={key} />}
    </RecordDialog>
  );
}

function KeyFacts({ apiKey }: { apiKey: ApiKey }): React.JSX.Element {
  const { nameOf } = useCompanies(apiKey.company_ids ?? []);
  const list = (texts: readonly string[] | null, all: string): React.ReactNode => texts?.join(', ') ?? all;
  return (
    <div className="flex flex-col gap-4">
      <DescriptionList
        entries={[
          ['Status', <StatusBadge key="status" status={apiKey.status} />],
          ['Key', <MaskedKey key="key" apiKey={apiKey} />],
          [
            'ID',
            <code key="id" className="text-xs">
              {apiKey.id}
            </code>,
          ],
          ['Scope', scopeLabel(apiKey.scope)],
          ['Companies', list(apiKey.company_ids?.map((id) => nameOf(id)) ?? null, 'All companies')],
          ['Accounts', apiKey.scope === 'ingest' && list(apiKey.connection_ids, 'All that no other key has posted to')],
          ['Sources', apiKey.scope === 'ingest' && list(apiKey.sources, 'All')],
          ['Permissions', apiKey.scope === 'read' ? 'Read-only' : list(apiKey.permissions, 'All in the scope')],
          ['Allowed IP addresses', list(apiKey.ip_allowlist, 'All')],
          ['Agent', apiKey.agent_id && <AgentName id={apiKey.agent_id} />],
          ['Last used', <LastUse key="use" apiKey={apiKey} />],
          ['Created', <Instant key="created" at={apiKey.created_at} />],
          ['Created by', actorName(apiKey.created_by)],
          ['Expires', apiKey.expires_at === null ? 'Never' : <Instant at={apiKey.expires_at} />],
          ['Revoked', apiKey.revoked_at && <Instant at={apiKey.revoked_at} />],
          ['Revoked by', apiKey.revoked_by && actorName(apiKey.revoked_by)],
          [
            'Replaced by',
            apiKey.rotated_to && (
              <Link
                to="."
                search={(search) => ({ ...search, open: apiKey.rotated_to ?? undefined })}
                className="text-accent underline"
              >
                View the new key
              </Link>
            ),
          ],
        ]}
      />
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
        <Link to="/logs" search={{ actor_id: apiKey.id }} className="text-accent underline-offset-2 hover:underline">
          Requests made with this key
        </Link>
        <Link to="/logs" search={{ resource_id: apiKey.id }} className="text-accent underline-offset-2 hover:underline">
          Changes to this key
        </Link>
      </p>
    </div>
  );
}

export function MaskedKey({ apiKey }: { apiKey: ApiKey }): React.JSX.Element {
  return (
    <code className="text-xs" title="The full key is shown only when it is created">
      {apiKey.prefix}…{apiKey.last4}
    </code>
  );
}

export function LastUse({ apiKey }: { apiKey: ApiKey }): React.JSX.Element {
  if (apiKey.last_used_at === null) return <span className="text-muted">Never</span>;
  return <TwoLines top={<Ago at={apiKey.last_used_at} />} below={apiKey.last_used_ip ?? 'Unknown IP address'} />;
}
