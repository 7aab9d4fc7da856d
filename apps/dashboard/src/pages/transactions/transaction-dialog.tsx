import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Badge, sentenceCase } from '../../components/badge.tsx';
import { CopyId } from '../../components/copy.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { RecordDialog } from '../../components/dialog.tsx';
import { ConnectionName } from '../../components/links.tsx';
import { Money } from '../../components/money.tsx';
import { LogLink, RecordLink } from '../../components/record-link.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { Loaded } from '../../components/states.tsx';
import { Instant } from '../../components/time.tsx';
import { useConnectionNames } from '../../lib/connection-names.ts';
import { problemOf } from '../../lib/problem.ts';
import { actorName } from '../../lib/text.ts';
import { type Outputs, useTRPC, useTRPCClient } from '../../lib/trpc.ts';
import { usePermission } from '../../lib/use-session.ts';
import { OperationButton, OperationDialog } from '../../operation/operation-dialog.tsx';
import { CorrectCategory } from './correct-category.tsx';
import { MakeRule } from './make-rule.tsx';
import { carries, flowClasses, NO_CLASS, type Transaction } from './transactions.view.ts';

const NONE = <span className="text-muted">None</span>;

export function TransactionDialog({ id, onClose }: { id: string; onClose: () => void }): React.JSX.Element {
  const trpc = useTRPC();
  const company = useCompany();
  const found = useQuery(
    trpc.bank.transactions.get.queryOptions({ company_id: company.id, transaction_id: id }, { staleTime: Infinity }),
  );
  return (
    <RecordDialog query={found} noun="transaction" title={() => 'Transaction'} onClose={onClose}>
      {(transaction) => <TransactionFacts transaction={transaction} />}
    </RecordDialog>
  );
}

function TransactionFacts({ transaction }: { transaction: Transaction }): React.JSX.Element {
  const names = useConnectionNames(transaction.company_id);
  const may = usePermission();
  const mayCorrect = may('bank.transactions.update') && useCompany().status !== 'dissolved';
  const { amount_cents, currency, currency_inferred, flow_class, voided_at } = transaction;
  return (
    <div className="flex flex-col gap-6">
      <div>
        <p className="text-2xl font-semibold">
          <Money cents={amount_cents} currency={currency} coloured />
        </p>
        <p className="mt-1 text-sm text-muted">
          {amount_cents < 0 ? 'Money out' : 'Money in'} on <Instant at={transaction.posted_at} seconds />{' '}
          {voided_at !== null && <Badge tone="warn">Voided</Badge>}
        </p>
      </div>
      {mayCorrect && <CorrectCategory transaction={transaction} />}
      <CorrectTransaction transaction={transaction} />
      <DescriptionList
        entries={[
          ['Description', transaction.description === '' ? NONE : transaction.description],
          ['Vendor', transaction.counterparty ?? NONE],
          ['Category', mayCorrect ? null : (transaction.category ?? NONE)],
          [
            'As posted',
            mayCorrect || transaction.category === transaction.posted_category ? null : transaction.posted_category,
          ],
          ['Class', flow_class === null ? NONE : sentenceCase(flow_class)],
          ['Account', <ConnectionName key="connection" id={transaction.connection_id} names={names} />],
          [
            'Currency',
            <span key="currency">
              {currency} {currency_inferred && <Badge>Inferred</Badge>}
            </span>,
          ],
          ['Source', transaction.source],
          ['Received', <Instant key="received" at={transaction.created_at} seconds />],
          ['Voided', voided_at && <Instant key="voided" at={voided_at} seconds />],
          [
            'Changed',
            transaction.updated_at === transaction.created_at ? null : (
              <Instant key="changed" at={transaction.updated_at} seconds />
            ),
          ],
          ['ID', <CopyId key="id" id={transaction.id} what="ID" />],
          ['External ID', <CopyId key="external" id={transaction.external_id} what="external ID" />],
          ['Account ID', transaction.connection_id && <CopyId id={transaction.connection_id} what="account ID" />],
        ]}
      />
      <Origin transaction={transaction} />
    </div>
  );
}

function Origin({ transaction }: { transaction: Transaction }): React.JSX.Element {
  return (
    <section aria-label="Posted by" className="flex flex-col gap-2 border-t pt-4 text-sm">
      <h3 className="font-semibold">Posted by</h3>
      <Loaded query={useOrigin(transaction)} label="Loading the event" lines={1}>
        {(origin) =>
          origin === null ? (
            <p className="text-muted">The event is no longer stored.</p>
          ) : (
            <>
              <DescriptionList
                entries={[
                  ['Actor', actorName(origin.activity.actor)],
                  ['Request ID', <CopyId key="request" id={origin.activity.request_id} what="request ID" />],
                  ['Event ID', <CopyId key="event" id={origin.eventId} what="event ID" />],
                ]}
              />
              <p className="flex flex-wrap gap-4">
                <RecordLink record={{ id: origin.eventId }} text="View event and deliveries" />
                <LogLink of={origin.activity.resource_id} text="View in activity log" />
              </p>
            </>
          )
        }
      </Loaded>
    </section>
  );
}

interface TransactionOrigin {
  activity: Outputs['activity']['list']['data'][number];
  eventId: string;
}

const CANDIDATES = 10;
const SOON_MS = 60_000;

function useOrigin({ id, company_id, created_at }: Transaction): UseQueryResult<TransactionOrigin | null> {
  const client = useTRPCClient();
  async function contains(event_id: string): Promise<boolean> {
    try {
      const { data } = await client.events.get.query({ event_id });
      return carries(data, id);
    } catch (error) {
      if (problemOf(error)?.status === 404) return false;
      throw error;
    }
  }
  async function find(): Promise<TransactionOrigin | null> {
    const { data } = await client.activity.list.query({
      company_id,
      type: 'bank.transaction.posted',
      created_from: created_at,
      created_to: new Date(Date.parse(created_at) + SOON_MS).toISOString(),
      order: 'asc',
      limit: CANDIDATES,
    });
    for (const activity of data) {
      const event = activity.events.find(({ type }) => type === 'bank.transaction.posted');
      // Sequential, because the first one nearly always matches.
      if (event && (await contains(event.id))) return { activity, eventId: event.id };
    }
    return null;
  }
  return useQuery({ queryKey: ['transaction-event', id], queryFn: find, staleTime: Infinity });
}

function CorrectTransaction({ transaction }: { transaction: Transaction }): React.JSX.Element {
  const { id: transaction_id, company_id, voided_at } = transaction;
  const isVoided = voided_at !== null;
  return (
    <div className="flex flex-wrap gap-2">
      <OperationButton size="small" operation="bank.transactions.update" label="Set class" needsCompany>
        {(close) => (
          <OperationDialog
            operation="bank.transactions.update"
            title="Set class"
            description="The class decides whether the transaction counts as income or spending."
            submit="Set class"
            done="Class set."
            fixed={{ company_id, transaction_id }}
            record={transaction}
            fields={{
              flow_class: { label: 'Class', none: NO_CLASS, choices: flowClasses },
              reason: {},
            }}
            onClose={close}
          />
        )}
      </OperationButton>
      <OperationButton
        size="small"
        operation="bank.transactions.update"
        label={isVoided ? 'Restore' : 'Void'}
        needsCompany
      >
        {(close) => (
          <OperationDialog
            operation="bank.transactions.update"
            title={isVoided ? 'Restore this transaction?' : 'Void this transaction?'}
            description={
              isVoided
                ? 'The transaction counts in the figures again.'
                : 'A voided transaction counts in no figure. It stays in lists and exports, and isn’t stored again if its sender repeats it. You can restore it.'
            }
            submit={isVoided ? 'Restore' : 'Void'}
            done={isVoided ? 'Transaction restored.' : 'Transaction voided.'}
            danger={!isVoided}
            fixed={{ company_id, transaction_id, voided: !isVoided }}
            fields={{ reason: {} }}
            onClose={close}
          />
        )}
      </OperationButton>
      <MakeRule transaction={transaction} />
    </div>
  );
}
