import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { StatusBadge, valueText } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { Money } from '../../components/money.tsx';
import { Page, Panel, PendingPage } from '../../components/page.tsx';
import type { Company } from '../../components/shell/company-context.ts';
import { Instant } from '../../components/time.tsx';
import { useTRPC } from '../../lib/trpc.ts';
import { usePermission } from '../../lib/use-session.ts';
import { OperationButton } from '../../operation/operation-dialog.tsx';
import { useOperation } from '../../operation/use-operation.ts';
import { AccountsPanel } from './accounts-panel.tsx';
import { DissolveCompanyDialog, EditCompanyDialog } from './company-dialogs.tsx';
import { FigureSettingsPanel } from './figure-settings-panel.tsx';
import { FlowRulesPanel } from './flow-rules-panel.tsx';
import { FormationPanel } from './formation-panel.tsx';
import { FxRatesPanel } from './fx-rates-panel.tsx';

const route = getRouteApi('/shell/companies/$companyId');

export function CompanyPage(): React.JSX.Element {
  const trpc = useTRPC();
  const { companyId } = route.useParams();
  const company = useQuery(trpc.companies.get.queryOptions({ company_id: companyId }));
  if (company.data) return <CompanyDetails company={company.data} />;
  return (
    <PendingPage
      title="Company"
      query={company}
      label="Loading the company"
      intro={
        <Link to="/companies" className="text-accent underline">
          All companies
        </Link>
      }
    />
  );
}

function CompanyDetails({ company }: { company: Company }): React.JSX.Element {
  const may = usePermission();
  const isOver = company.status === 'dissolved';
  const mayChange = may('companies.update') && !isOver;
  return (
    <Page
      title={company.name}
      intro={isOver && 'This company is dissolved and read-only.'}
      actions={
        mayChange && (
          <>
            {company.status === 'forming' && <EndFormationButton company={company} />}
            <OperationButton operation="companies.update" label="Edit company">
              {(close) => <EditCompanyDialog company={company} onClose={close} />}
            </OperationButton>
            {company.status === 'active' && (
              <OperationButton variant="danger" operation="companies.dissolve" label="Dissolve company">
                {(close) => <DissolveCompanyDialog company={company} onClose={close} />}
              </OperationButton>
            )}
          </>
        )
      }
    >
      <div className="grid gap-6 xl:grid-cols-2">
        <Panel title="Company" className="self-start">
          <CompanyFacts company={company} />
        </Panel>
        {company.formation.total_steps > 0 && <FormationPanel company={company} mayComplete={mayChange} />}
        <FigureSettingsPanel companyId={company.id} mayChange={may('financials.settings.update') && !isOver} />
        <AccountsPanel companyId={company.id} mayChange={may('financials.settings.update') && !isOver} />
        <FlowRulesPanel companyId={company.id} mayChange={may('financials.settings.update') && !isOver} />
        <FxRatesPanel company={company} mayChange={may('fxRates.put')} />
      </div>
    </Page>
  );
}

function EndFormationButton({ company }: { company: Company }): React.JSX.Element {
  const end = useOperation('companies.update', {
    done: 'Company is now active.',
  });
  return (
    <Button busy={end.isPending} onClick={() => end.mutate({ company_id: company.id, status: 'active' })}>
      Mark as active
    </Button>
  );
}

function CompanyFacts({ company }: { company: Company }): React.JSX.Element {
  return (
    <DescriptionList
      entries={[
        ['Status', <StatusBadge key="status" status={company.status} />],
        ['Legal name', company.legal_name],
        ['Entity type', company.entity_type && valueText(company.entity_type)],
        ['Country', company.country],
        ['Jurisdiction', company.jurisdiction],
        ['Tax ID', company.tax_id_last4 && `ends in ${company.tax_id_last4}`],
        ['Base currency', company.base_currency],
        ['Time zone', company.timezone],
        ['Fiscal year ends', company.fiscal_year_end],
        [
          'Wire approval threshold',
          <Money key="wire" cents={company.wire_approval_threshold_cents} currency={company.base_currency} />,
        ],
        ...Object.entries(company.metadata).map(([name, value]) => [`Metadata: ${name}`, value] as const),
        ['Dissolved', company.dissolved_at && <Instant at={company.dissolved_at} />],
        ['Dissolution reason', company.dissolution_reason],
        ['Created', <Instant key="created" at={company.created_at} />],
        ['ID', <code key="id">{company.id}</code>],
      ]}
    />
  );
}
