import { useParams } from '@tanstack/react-router';
import { AgentRequest } from './agent-request.tsx';
import { WirePage } from './wire-page.tsx';

/** A wire or a request of an agent, by its id: what it is, what one should know, and the decision. */
export function ApprovalPage(): React.JSX.Element {
  const { approvalId } = useParams({ from: '/shell/approvals/$approvalId' });
  return approvalId.startsWith('aap_') ? <AgentRequest id={approvalId} /> : <WirePage id={approvalId} />;
}
