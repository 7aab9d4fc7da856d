import { Link } from '@tanstack/react-router';
import { Badge, sentenceCase } from '../../../components/badge.tsx';
import { SimpleTable } from '../../../components/simple-table.tsx';
import { Instant } from '../../../components/time.tsx';
import type { Outputs } from '../../../lib/trpc.ts';

export type Verification = Outputs['webhookEndpoints']['verifySignature'];

interface Verdict {
  valid: boolean;
  title: string;
  hint: string;
}

/** Reasons for which the endpoint's own secret did sign exactly this body. */
const genuine = new Set(['timestamp_too_old', 'timestamp_in_future', 'previous_secret']);

const newline: Verdict = {
  valid: false,
  title: 'Trailing newline added',
  hint: 'The signature is valid without the newline at the end of the body. Editors and terminals often add one. If your server receives it too, something changes the body before verification.',
};

export function verdictOf({ valid, reason, hint, schemes }: Verification, onlyNewline = false): Verdict {
  if (onlyNewline) return newline;
  if (valid) {
    const good = schemes.filter((scheme) => scheme.valid).map(({ header }) => header);
    const secret = schemes.some((scheme) => scheme.secret === 'previous')
      ? ' with the previous secret (rotation in progress)'
      : '';
    return { valid, title: 'Valid signature', hint: `Verified ${good.join(' and ')}${secret}.` };
  }
  return { valid, title: sentenceCase(reason ?? 'Invalid signature'), hint: hint ?? '' };
}

export function isGenuine({ valid, reason }: Verification): boolean {
  return valid || genuine.has(reason ?? '');
}

export function withoutNewline({ reason }: Verification, body: string): string | undefined {
  return reason?.startsWith('body_') === true && body.endsWith('\n') ? body.replace(/\r?\n$/, '') : undefined;
}

type Scheme = Verification['schemes'][number];

export interface CheckResultProps {
  server: Verification;
  onlyNewline: boolean;
}

export function CheckResult({ server, onlyNewline }: CheckResultProps): React.JSX.Element {
  const verdict = verdictOf(server, onlyNewline);
  const look = verdict.valid ? 'border-good bg-good-soft text-good' : 'border-bad bg-bad-soft text-bad';
  return (
    <section aria-label="Result" className="flex flex-col gap-3">
      <div role="status" className={`rounded-md border p-4 ${look}`}>
        <p className="font-semibold">{verdict.title}</p>
        <p className="mt-1 text-sm">{verdict.hint}</p>
      </div>
      <ServerFindings server={server} />
    </section>
  );
}

function ServerFindings({ server }: { server: Verification }): React.JSX.Element {
  return (
    <>
      <SimpleTable
        label="Signature headers"
        rows={server.schemes}
        keyOf={({ header }) => header}
        empty={null}
        columns={[
          { title: 'Header', cell: ({ header }) => <code>{header}</code> },
          { title: 'Result', cell: (scheme) => <SchemeVerdict scheme={scheme} /> },
          {
            title: 'Signed at',
            wide: true,
            cell: ({ signed_at: at }) => (at === null ? '–' : <Instant at={at} seconds />),
          },
          { title: 'Secret', wide: true, cell: ({ secret }) => (secret === null ? '–' : sentenceCase(secret)) },
        ]}
      />
      <p className="flex flex-wrap gap-x-4 text-sm text-muted">
        {server.event_id !== null && (
          <Link to="/events/$eventId" params={{ eventId: server.event_id }} className="text-accent underline">
            View event
          </Link>
        )}
        {server.delivery_id !== null && (
          <Link to="/settings/webhooks" search={{ delivery: server.delivery_id }} className="text-accent underline">
            View delivery
          </Link>
        )}
        {server.sent_to_endpoint_id !== null && server.sent_to_endpoint_id !== server.endpoint_id && (
          <Link
            to="/settings/webhooks/$endpointId"
            params={{ endpointId: server.sent_to_endpoint_id }}
            className="text-accent underline"
          >
            View the endpoint of this delivery
          </Link>
        )}
      </p>
    </>
  );
}

function SchemeVerdict({ scheme }: { scheme: Scheme }): React.JSX.Element {
  const absent = scheme.reason === 'missing_header';
  return (
    <div className="flex flex-col items-start gap-1">
      <Badge tone={scheme.valid ? 'good' : absent ? 'neutral' : 'bad'}>
        {scheme.valid ? 'Valid' : absent ? 'Missing' : sentenceCase(String(scheme.reason))}
      </Badge>
      {scheme.hint !== null && !absent && <span className="text-xs text-muted">{scheme.hint}</span>}
    </div>
  );
}
