import { getRouteApi } from '@tanstack/react-router';
import { Page } from '../../components/page.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { Tabs } from '../../components/tabs.tsx';
import { MONTH } from '../../lib/periods.ts';
import { todayIn } from '../../lib/zoned-time.ts';
import { OperationButton, OperationDialog } from '../../operation/operation-dialog.tsx';
import { useClosePanel, useListSearch } from '../../operation/resource-list.tsx';
import { Calendar } from './calendar.tsx';
import { DueList } from './due-list.tsx';
import { FilingDialog, Filings } from './filings.tsx';
import { Obligations } from './obligations.tsx';
import { ResyncButton } from './resync.tsx';

const route = getRouteApi('/shell/company/compliance');

export function CompliancePage(): React.JSX.Element {
  const company = useCompany();
  const { setSearch } = useListSearch();
  const { month, tab = month === undefined ? 'due' : 'calendar', filing } = route.useSearch();
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
          { id: 'due', title: 'Due dates', content: <DueList today={today} /> },
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
