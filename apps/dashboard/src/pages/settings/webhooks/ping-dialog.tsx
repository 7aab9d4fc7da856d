import { Badge } from '../../../components/badge.tsx';
import { DescriptionList } from '../../../components/description-list.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { Form } from '../../../components/form.tsx';
import { Instant } from '../../../components/time.tsx';
import { type Outputs } from '../../../lib/trpc.ts';
import { useOperation } from '../../../operation/use-operation.ts';
import type { EndpointDialogProps } from './endpoint-dialog-props.ts';

export function PingDialog({ endpoint, open, onClose }: EndpointDialogProps): React.JSX.Element {
  const ping = useOperation('webhookEndpoints.ping', { quiet: true });
  const close = (): void => {
    ping.reset();
    onClose();
  };
  return (
    <Dialog
      open={open}
      onClose={close}
      title="Ping"
      description="One signed request with a challenge, in any status of the endpoint. It counts neither for nor against its health, and makes no event."
    >
      <Form
        submit={ping.data ? 'Ping again' : 'Send ping'}
        busy={ping.isPending}
        error={ping.error}
        onSubmit={() => ping.mutate({ endpoint_id: endpoint.id })}
        onCancel={close}
      >
        {ping.data && <PingResult result={ping.data} />}
      </Form>
    </Dialog>
  );
}

function PingResult({ result }: { result: Outputs['webhookEndpoints']['ping'] }): React.JSX.Element {
  return (
    <div role="status" className="flex flex-col items-start gap-3">
      <Badge tone={result.ok ? 'good' : 'bad'}>{result.ok ? 'It answered 2xx' : 'It did not answer 2xx'}</Badge>
      <DescriptionList
        entries={[
          ['Status', result.status_code],
          ['Error', result.error_message ?? result.error],
          ['Took', `${result.duration_ms} ms`],
          [
            'Challenge',
            result.challenge_answered
              ? 'Repeated in the answer: it reads what it gets.'
              : 'Not repeated in the answer, which is fine unless you want that proof.',
          ],
          ['At', <Instant key="at" at={result.at} seconds />],
        ]}
      />
    </div>
  );
}
