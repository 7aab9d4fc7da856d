import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Badge } from '../../components/badge.tsx';
import { CopyId } from '../../components/copy.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ConnectionName } from '../../components/links.tsx';
import { Money } from '../../components/money.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { Loaded } from '../../components/states.tsx';
import { Instant } from '../../components/time.tsx';
import { useConnectionNames } from '../../lib/connection-names.ts';
import { actorName } from '../../lib/text.ts';
import { useTRPC } from '../../lib/trpc.ts';
import type { Transaction } from './transactions.view.ts';
import { useTransactionEvent } from './use-transaction-event.ts';

const NONE = <span className="text-muted">None</span>;

export function TransactionDialog({ id, onClose }: { id: string | undefined; onClose: () => void }): React.JSX.Element {
  return (
    <Dialog open={id !== undefined} onClose={onClose} title="Transaction" variant="side">
      {id !== undefined && <Content id={id} />}
    </Dialog>
  );
}

function Content({ id }: { id: string }): React.JSX.Element {
  const trpc = useTRPC();
  const company = useCompany();
  const found = useQuery(
    trpc.bank.transactions.get.queryOptions({ company_id: company.id, transaction_id: id }, { staleTime: Infinity }),
  );
  return (
    <Loaded query={found} label="Reading the transaction" lines={6}>
      {(transaction) => <TransactionFacts transaction={transaction} />}
    </Loaded>
  );
}

function TransactionFacts({ transaction }: { transaction: Transaction }): React.JSX.Element {
  const names = useConnectionNames(transaction.company_id);
  const { amount_cents, currency, currency_inferred } = transaction;
  return (
    <div className="flex flex-col gap-6">
      <div>
        <p className="text-2xl font-semibold">
          <Money cents={amount_cents} currency={currency} coloured />
        </p>
        <p className="mt-1 text-sm text-muted">
          {amount_cents < 0 ? 'Money out' : 'Money in'} on <Instant at={transaction.posted_at} seconds />
        </p>
      </div>
      <DescriptionList
        entries={[
          ['Description', transaction.description === '' ? NONE : transaction.description],
          ['Counterparty', transaction.counterparty ?? NONE],
          ['Category', transaction.category ?? NONE],
          ['Connection', <ConnectionName key="connection" id={transaction.connection_id} names={names} />],
          [
            'Currency',
            <span key="currency">
              {currency} {currency_inferred && <Badge>inferred, none was posted</Badge>}
            </span>,
          ],
          ['Minor units', <code key="units">{amount_cents}</code>],
          ['Source', transaction.source],
          ['Received', <Instant key="received" at={transaction.created_at} seconds />],
          ['Id', <CopyId key="id" id={transaction.id} what="id" />],
          ['External id', <CopyId key="external" id={transaction.external_id} what="external id" />],
          transaction.connection_id === null
            ? ['Connection id', null]
            : ['Connection id', <CopyId key="connection" id={transaction.connection_id} what="connection id" />],
        ]}
      />
      <Origin transaction={transaction} />
      <p className="text-xs text-muted">
        A stored transaction is never changed. Correct it by another one that takes it back, such as{' '}
        <code className="wrap-anywhere">{transaction.external_id}:reversal</code>.
      </p>
    </div>
  );
}

function Origin({ transaction }: { transaction: Transaction }): React.JSX.Element {
  const found = useTransactionEvent(transaction);
  return (
    <section aria-label="Source details" className="flex flex-col gap-2 border-t pt-4 text-sm">
      <h3 className="font-semibold">Source details</h3>
      <Loaded query={found} label="Looking for the event" lines={1}>
        {(origin) =>
          origin === null ? (
            <p className="text-muted">The event is no longer stored.</p>
          ) : (
            <>
              <DescriptionList
                entries={[
                  ['Posted by', actorName(origin.activity.actor)],
                  ['Request', <CopyId key="request" id={origin.activity.request_id} what="request id" />],
                  [
                    'Event',
                    <code key="event" className="text-xs wrap-anywhere">
                      {origin.eventId}
                    </code>,
                  ],
                ]}
              />
              <p className="flex flex-wrap gap-4">
                <Link to="/events/$eventId" params={{ eventId: origin.eventId }} className="text-accent underline">
                  Show the event and its deliveries
                </Link>
                <Link
                  to="/logs"
                  search={{ resource_id: origin.activity.resource_id }}
                  className="text-accent underline"
                >
                  Show it in the activity log
                </Link>
              </p>
            </>
          )
        }
      </Loaded>
    </section>
  );
}
