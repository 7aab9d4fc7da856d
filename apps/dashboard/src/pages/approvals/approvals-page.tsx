import { useNavigate, useSearch } from '@tanstack/react-router';
import { Page } from '../../components/page.tsx';
import { NeedsCompany } from '../../components/shell/needs-company.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { AgentApprovalsPanel } from './agent-approvals-panel.tsx';
import { WiresPanel } from './wires-panel.tsx';

export function ApprovalsPage(): React.JSX.Element {
  const { tab = 'bank' } = useSearch({ from: '/shell/approvals' });
  const navigate = useNavigate({ from: '/approvals' });
  const tabs = [
    { id: 'bank', title: 'Wire approvals', content: <WiresPanel kind="approvals" /> },
    { id: 'agents', title: 'Agent approvals', content: <AgentApprovalsPanel /> },
    { id: 'wires', title: 'All wires', content: <WiresPanel kind="wires" /> },
  ];
  return (
    <Page title="Approvals" intro="Review wires and agent requests. Requests that aren’t approved in time expire.">
      <NeedsCompany>
        <Tabs
          label="Approvals"
          tabs={tabs}
          value={tabs.some(({ id }) => id === tab) ? tab : 'bank'}
          onChange={(next) =>
            void navigate({ search: ({ company }) => (company === undefined ? { tab: next } : { company, tab: next }) })
          }
        />
      </NeedsCompany>
    </Page>
  );
}
