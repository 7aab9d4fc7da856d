import { Panel } from '../../../components/page.tsx';
import { usePermission } from '../../../lib/use-session.ts';
import type { Endpoint } from './endpoint-health.view.ts';
import { ReplayForm } from './replay-form.tsx';
import { ReplayList } from './replay-list.tsx';

export function ReplayPanel({ endpoint }: { endpoint: Endpoint }): React.JSX.Element {
  const may = usePermission();
  return (
    <>
      {may('webhookEndpoints.replay') && (
        <Panel title="Send what it missed">
          <ReplayForm endpoint={endpoint} />
        </Panel>
      )}
      <Panel title="Replays" flush>
        <ReplayList endpointId={endpoint.id} />
      </Panel>
    </>
  );
}
