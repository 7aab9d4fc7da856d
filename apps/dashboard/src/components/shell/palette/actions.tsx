import { lazy, Suspense, useContext } from 'react';
import type { Outputs } from '../../../lib/trpc.ts';
import { usePermission } from '../../../lib/use-session.ts';
import { CompanyContext } from '../company-context.ts';
import type { Entry } from './palette.view.ts';

type Endpoint = Outputs['webhookEndpoints']['get'];

const CreateEndpoint = lazy(() =>
  import('../../../pages/settings/webhooks/endpoint-form.tsx').then((module) => ({
    default: module.CreateEndpointDialog,
  })),
);
const SendTest = lazy(() =>
  import('../../../pages/settings/webhooks/send-test.tsx').then((module) => ({ default: module.SendTestDialog })),
);

/** What can be done from every page, as far as the key permits it. */
export function useActions(endpoints: readonly Endpoint[]): readonly Entry[] {
  const may = usePermission();
  const company = useContext(CompanyContext);
  const mayImport = may('bank.transactions.ingest') && company !== undefined && company.status !== 'dissolved';
  const create: Entry = {
    id: 'create endpoint',
    label: 'Create endpoint',
    opens: (close) => (
      <Suspense fallback={null}>
        <CreateEndpoint onClose={close} />
      </Suspense>
    ),
  };
  const tests = endpoints
    .filter(({ status }) => status === 'active')
    .map((endpoint): Entry => {
      return {
        id: `test ${endpoint.id}`,
        label: 'Send test event',
        about: endpoint.description ?? endpoint.url,
        opens: (close) => (
          <Suspense fallback={null}>
            <SendTest endpoint={endpoint} onClose={close} />
          </Suspense>
        ),
      };
    });
  return [
    ...(may('webhookEndpoints.create') ? [create] : []),
    ...(mayImport ? [{ id: 'import file', label: 'Import file', goes: { to: '/transactions/import' } } as const] : []),
    ...(may('webhookEndpoints.test') ? tests : []),
  ];
}
