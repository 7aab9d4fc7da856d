import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Page } from '../../components/page.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { NeedsCompany } from '../../components/shell/needs-company.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { usePermission } from '../../lib/use-session.ts';
import { todayIn } from '../../lib/zoned-time.ts';
import { useClosePanel } from '../../operation/resource-list.tsx';
import { Calendar } from './calendar.tsx';
import { CreateFilingDialog } from './create-filing-dialog.tsx';
import { FilingDialog } from './filing-dialog.tsx';
import { Filings } from './filings.tsx';
import { Obligations } from './obligations.tsx';
import { ResyncButton } from './resync-button.tsx';

const route = getRouteApi('/shell/compliance');
const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

export function CompliancePage(): React.JSX.Element {
  return (
    <NeedsCompany>
      <Compliance />
    </NeedsCompany>
  );
}

function Compliance(): React.JSX.Element {
  const company = useCompany();
  const may = usePermission();
  const navigate = useNavigate({ from: '/compliance' });
  const { tab = 'calendar', month, status, type, filing } = route.useSearch();
  const [creating, setCreating] = useState(false);
  const today = todayIn(company.timezone);
  const go = (change: Record<string, string | undefined>): void =>
    void navigate({ search: (search) => ({ ...search, ...change }), replace: true });
  const close = useClosePanel(() => go({ filing: undefined }));
  const mayWrite = may('filings.create') && company.status !== 'dissolved';
  return (
    <Page
      title="Filings and compliance"
      actions={
        mayWrite && (
          <>
            <ResyncButton />
            <Button variant="primary" onClick={() => setCreating(true)}>
              Open filing
            </Button>
          </>
        )
      }
    >
      <Tabs
        label="Filings and compliance"
        value={tab}
        onChange={(next) => go({ tab: next })}
        tabs={[
          {
            id: 'calendar',
            title: 'Calendar',
            content: (
              <Calendar
                month={month !== undefined && MONTH.test(month) ? month : today.slice(0, 7)}
                today={today}
                onMonth={(next) => go({ month: next })}
              />
            ),
          },
          { id: 'obligations', title: 'Obligations', content: <Obligations /> },
          { id: 'filings', title: 'Filings', content: <Filings status={status} type={type} onChoose={go} /> },
        ]}
      />
      {creating && <CreateFilingDialog onClose={() => setCreating(false)} />}
      {filing !== undefined && <FilingDialog id={filing} onClose={close} />}
    </Page>
  );
}
