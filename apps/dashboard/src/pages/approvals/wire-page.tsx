import { useQuery } from '@tanstack/react-query';
import { DescriptionList } from '../../components/description-list.tsx';
import { ConnectionName } from '../../components/links.tsx';
import { Money } from '../../components/money.tsx';
import { PendingPage } from '../../components/page.tsx';
import { useZone } from '../../components/shell/company-context.ts';
import { Loaded } from '../../components/states.tsx';
import { Instant, useNow } from '../../components/time.tsx';
import { type NamedConnection, useConnectionNames } from '../../lib/connection-names.ts';
import { actorName, visibleText } from '../../lib/text.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { useCompanies } from '../../lib/use-companies.ts';
import { KeepEdits } from '../../operation/keep-edits.tsx';
import { statusOf, type Wire } from './approval.view.ts';
import { ApprovalBlocks, Details } from './blocks.tsx';
import { factsOf } from './context.view.ts';
import { Facts } from './facts.tsx';
import { WireDecision } from './wire-decision.tsx';

export function WirePage({ id }: { id: string }): React.JSX.Element {
  const trpc = useTRPC();
  const query = useQuery(trpc.bank.approvals.get.queryOptions({ approval_id: id }));
  if (query.data) return <LoadedWire wire={query.data} />;
  return <PendingPage title="Wire" query={query} label="Loading the wire" />;
}

function LoadedWire({ wire }: { wire: Wire }): React.JSX.Element {
  const names = useConnectionNames(wire.company_id);
  return (
    <ApprovalBlocks
      title={`Wire to ${visibleText(wire.beneficiary.name)}`}
      approval={{ id: wire.id, status: statusOf(wire), expires_at: wire.expires_at }}
      what={<What wire={wire} names={names} />}
      know={<Know wire={wire} names={names} />}
      decide={
        <KeepEdits of={wire.id} value={wire}>
          {(shown, release) => <WireDecision wire={shown} onEnd={release} />}
        </KeepEdits>
      }
    />
  );
}

interface WireProps {
  wire: Wire;
  names: ReadonlyMap<string, NamedConnection>;
}

function What({ wire, names }: WireProps): React.JSX.Element {
  const { beneficiary } = wire;
  // A link may open a wire of a company other than the chosen one.
  const { nameOf } = useCompanies([wire.company_id]);
  return (
    <>
      <p className="pb-3 text-2xl font-semibold">
        <Money cents={wire.amount_cents} currency={wire.currency} />
      </p>
      <DescriptionList
        entries={[
          ['Beneficiary', beneficiary.name],
          ['Bank', beneficiary.bank_name],
          ['Account', `ends in ${beneficiary.account_last4}`],
          ['Country', beneficiary.country],
          ['Memo', wire.memo],
          ['From account', wire.connection_id && <ConnectionName id={wire.connection_id} names={names} />],
          ['Requested by', actorName(wire.requested_by)],
        ]}
      />
      <Details
        entries={[
          ['Company', nameOf(wire.company_id)],
          ['Requested', <Instant key="requested" at={wire.created_at} />],
          ['Expires', wire.status === 'pending' ? <Instant at={wire.expires_at} /> : null],
          ['Decided', wire.decided_at && <Instant at={wire.decided_at} />],
          [
            'Threshold at the time',
            // The company's base currency may have changed since.
            wire.threshold_currency && <Money cents={wire.threshold_cents} currency={wire.threshold_currency} />,
          ],
          ['Required approvals', wire.required_approvals],
          ['ID', <code key="id">{wire.id}</code>],
        ]}
      />
    </>
  );
}

/** The facts are read from many rows, so they refresh less often than the wire. */
const FACTS_MS = 60_000;

function Know({ wire, names }: WireProps): React.JSX.Element {
  const trpc = useTRPC();
  const context = useQuery(
    trpc.bank.approvals.context.queryOptions({ approval_id: wire.id }, { refetchInterval: FACTS_MS }),
  );
  const [zone, now] = [useZone(), useNow()];
  const nameOf = (id: string): string => names.get(id)?.name ?? id;
  return (
    <Loaded query={context} label="Loading what is known">
      {(data) => <Facts facts={factsOf(data, { wire, zone, now, nameOf })} />}
    </Loaded>
  );
}
