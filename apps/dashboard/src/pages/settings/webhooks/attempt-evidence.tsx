import { Badge } from '../../../components/badge.tsx';
import { CodeBlock } from '../../../components/copy.tsx';
import { DescriptionList } from '../../../components/description-list.tsx';
import { Instant } from '../../../components/time.tsx';
import { type Attempt, headerLines, outcomeOf } from './attempt.view.ts';
import { TimingBar } from './timing-bar.tsx';

const triggers = { automatic: 'Automatic', manual: 'Manual', test: 'Test', replay: 'Replay' } as const;

export function AttemptEvidence({ attempt, open }: { attempt: Attempt; open: boolean }): React.JSX.Element {
  const ok = attempt.error === null;
  return (
    <details open={open} className="rounded-md border">
      <summary className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 text-sm">
        <span className="font-medium">Attempt {attempt.n}</span>
        <Badge tone={ok ? 'good' : 'bad'}>{`${ok ? 'Succeeded' : 'Failed'}: ${outcomeOf(attempt)}`}</Badge>
        <span className="text-muted tabular-nums">{attempt.duration_ms} ms</span>
        <span className="text-muted">
          {triggers[attempt.trigger]}, <Instant at={attempt.at} seconds />
        </span>
      </summary>
      <div className="flex flex-col gap-4 border-t p-3">
        {!ok && <Failure attempt={attempt} />}
        <TimingBar timings={attempt.timings} />
        <DescriptionList
          entries={[
            ['Sent to', attempt.url],
            ['Address', attempt.remote_address],
            ['Connection', connectionOf(attempt.connection_reused)],
            ['Status', attempt.status_code],
          ]}
        />
        <Messages attempt={attempt} />
      </div>
    </details>
  );
}

function Failure({ attempt }: { attempt: Attempt }): React.JSX.Element {
  return (
    <div className="rounded-md border border-bad bg-bad-soft p-3 text-sm text-bad">
      <p className="font-medium wrap-anywhere">{attempt.error_message ?? outcomeOf(attempt)}</p>
      {attempt.hint !== null && <p className="mt-1">{attempt.hint}</p>}
      <p className="mt-1 font-mono text-xs">{attempt.error}</p>
    </div>
  );
}

function connectionOf(reused: boolean | null): string | null {
  return reused === null ? null : reused ? 'Reused' : 'New';
}

function Messages({ attempt }: { attempt: Attempt }): React.JSX.Element {
  const {
    request_headers: request,
    response_headers: response,
    response_snippet: body,
    evidence_purged_at: purged,
  } = attempt;
  if (purged !== null) {
    return (
      <p className="text-sm text-muted">
        Headers, bodies and addresses were deleted on <Instant at={purged} />.
      </p>
    );
  }
  return (
    <>
      {attempt.connection_reused === null && (
        <p className="text-sm text-muted">No request was sent: the connection was not established.</p>
      )}
      {request !== null && <CodeBlock label={`Request headers of attempt ${attempt.n}`} text={headerLines(request)} />}
      {response !== null && Object.keys(response).length > 0 && (
        <CodeBlock label={`Response headers of attempt ${attempt.n}`} text={headerLines(response)} />
      )}
      {body !== null && body !== '' ? (
        <CodeBlock label={`Response body of attempt ${attempt.n}, as text`} text={body} />
      ) : (
        attempt.status_code !== null && <p className="text-sm text-muted">The response had no body.</p>
      )}
    </>
  );
}
