import { getRouteApi } from '@tanstack/react-router';
import { Button } from '../../components/button.tsx';
import { Page } from '../../components/page.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { Tabs } from '../../components/tabs.tsx';
import { plural } from '../../lib/text.ts';
import type { Outputs } from '../../lib/trpc.ts';
import { usePermission } from '../../lib/use-session.ts';
import { todayIn } from '../../lib/zoned-time.ts';
import { OperationButton, OperationDialog } from '../../operation/operation-dialog.tsx';
import { useClosePanel, useListSearch } from '../../operation/resource-list.tsx';
import { useOperation } from '../../operation/use-operation.ts';
import { Calendar } from './calendar.tsx';
import { FilingDialog, Filings } from './filings.tsx';
import { Obligations } from './obligations.tsx';

const route = getRouteApi('/shell/company/compliance');
const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

export function CompliancePage(): React.JSX.Element {
  const company = useCompany();
  const { setSearch } = useListSearch();
  const { tab = 'calendar', month, filing } = route.useSearch();
  const today = todayIn(company.timezone);
  const shownMonth = month !== undefined && MONTH.test(month) ? month : today.slice(0, 7);
  const close = useClosePanel(() => setSearch({ filing: undefined }));
  return (
    <Page
      title="Filings and compliance"
      actions={
        <>
          <ResyncButton />
          <OperationButton variant="primary" operation="filings.create" label="Create filing" needsCompany>
            {(onClose) => <CreateFilingDialog onClose={onClose} />}
          </OperationButton>
        </>
      }
    >
      <Tabs
        label="Filings and compliance"
        value={tab}
        onChange={(next) => setSearch({ tab: next })}
        tabs={[
          {
            id: 'calendar',
            title: 'Calendar',
            content: <Calendar month={shownMonth} today={today} onMonth={(next) => setSearch({ month: next })} />,
          },
          { id: 'obligations', title: 'Obligations', content: <Obligations /> },
          { id: 'filings', title: 'Filings', content: <Filings /> },
        ]}
      />
      {filing !== undefined && <FilingDialog id={filing} onClose={close} />}
    </Page>
  );
}

function CreateFilingDialog({ onClose }: { onClose: () => void }): React.JSX.Element {
  return (
    <OperationDialog
      operation="filings.create"
      title="Create filing"
      submit="Create filing"
      done="Filing created."
      fixed={{ company_id: useCompany().id }}
      fields={{
        type: {},
        due_date: {},
        title: {},
        jurisdiction: { hint: 'ISO 3166 code, like US or US-DE' },
        notes: {},
      }}
      onClose={onClose}
    />
  );
}

function summaryOf(done: Outputs['compliance']['resync']): string {
  const left = done.filings_left_open.length;
  return (
    `${plural(done.items_added, 'obligation')} added, ${done.items_changed} changed, ${done.items_removed} removed. ` +
    `${plural(done.filings_opened, 'filing')} created.` +
    (left === 0 ? '' : ` ${plural(left, 'open filing no longer applies', 'open filings no longer apply')}.`)
  );
}

function ResyncButton(): React.JSX.Element | null {
  const company = useCompany();
  const may = usePermission();
  const resync = useOperation('compliance.resync', { done: summaryOf });
  if (!may('compliance.resync') || company.status === 'dissolved') return null;
  return (
    <Button busy={resync.isPending} onClick={() => resync.mutate({ company_id: company.id })}>
      Resync obligations
    </Button>
  );
}
