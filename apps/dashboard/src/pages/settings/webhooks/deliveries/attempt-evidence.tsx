import type { ReactNode } from 'react';
import { Badge, sentenceCase } from '../../../../components/badge.tsx';
import { CodeBlock } from '../../../../components/copy.tsx';
import { DescriptionList } from '../../../../components/description-list.tsx';
import { useZone } from '../../../../components/shell/company-context.ts';
import { Instant } from '../../../../components/time.tsx';
import { type Attempt, connectionOf, headerLines, hintAt, outcomeOf, segmentsOf } from '../attempt.view.ts';

interface AttemptEvidenceProps {
  attempt: Attempt;
  /** The body of the request, which all attempts of a delivery share. */
  body?: ReactNode;
}

export function AttemptEvidence({ attempt, body }: AttemptEvidenceProps): React.JSX.Element {
  const succeeded = attempt.error === null;
  return (
    <section aria-label={`Attempt ${attempt.n}`} className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <span className="font-medium">Attempt {attempt.n}</span>
        <Badge
          tone={succeeded ? 'good' : 'bad'}
        >{`${succeeded ? 'Succeeded' : 'Failed'}: ${outcomeOf(attempt)}`}</Badge>
        <span className="text-muted tabular-nums">{attempt.duration_ms} ms</span>
        <span className="text-muted">
          {sentenceCase(attempt.trigger)}, <Instant at={attempt.at} seconds />
        </span>
      </div>
      {!succeeded && (
        <>
          <Failure attempt={attempt} />
          <ResponseBody attempt={attempt} />
        </>
      )}
      <TimingBar timings={attempt.timings} />
      <DescriptionList
        entries={[
          ['URL', attempt.url],
          ['IP address', attempt.remote_address],
          ['Connection', connectionOf(attempt.connection_reused)],
          ['Status code', attempt.status_code],
        ]}
      />
      <Messages attempt={attempt} body={body} />
    </section>
  );
}

function Failure({ attempt }: { attempt: Attempt }): React.JSX.Element {
  const hint = hintAt(attempt, useZone());
  return (
    <div className="rounded-md border border-bad bg-bad-soft p-3 text-sm text-bad">
      <p className="font-medium wrap-anywhere">{attempt.error_message ?? outcomeOf(attempt)}</p>
      {hint !== null && <p className="mt-1">{hint}</p>}
      <p className="mt-1 font-mono text-xs">
        {attempt.error}
        {attempt.error_code !== null && ` ${attempt.error_code}`}
      </p>
    </div>
  );
}

function Messages({ attempt, body: requestBody }: AttemptEvidenceProps): React.JSX.Element {
  const { request_headers: request, response_headers: response, evidence_purged_at: purged } = attempt;
  if (purged !== null) {
    return (
      <>
        <p className="text-sm text-muted">
          Headers, bodies and IP addresses were deleted on <Instant at={purged} />.
        </p>
        {requestBody}
      </>
    );
  }
  return (
    <>
      {attempt.connection_reused === null && (
        <p className="text-sm text-muted">No request was sent: the connection failed.</p>
      )}
      {request !== null && <CodeBlock label={`Request headers of attempt ${attempt.n}`} text={headerLines(request)} />}
      {requestBody}
      {response !== null && Object.keys(response).length > 0 && (
        <CodeBlock label={`Response headers of attempt ${attempt.n}`} text={headerLines(response)} />
      )}
      {attempt.error === null && <ResponseBody attempt={attempt} />}
    </>
  );
}

/** Stands below the failure whose cause it often tells, else at the end. */
function ResponseBody({ attempt }: { attempt: Attempt }): React.JSX.Element | null {
  const { n, response_snippet: body, status_code: code, evidence_purged_at: purged } = attempt;
  if (purged !== null || code === null) return null;
  if (body === null || body === '') return <p className="text-sm text-muted">The response had no body.</p>;
  return <CodeBlock label={`Response body of attempt ${n}`} text={body} />;
}

const colours = ['bg-series-3', 'bg-series-2', 'bg-series-4', 'bg-series-1', 'bg-line-strong'] as const;
const order = ['DNS', 'Connect', 'TLS', 'Waiting for response', 'Other'];

function TimingBar({ timings }: { timings: Attempt['timings'] }): React.JSX.Element {
  const segments = segmentsOf(timings).map((segment) => ({
    ...segment,
    colour: colours[order.indexOf(segment.label)] ?? 'bg-line-strong',
  }));
  return (
    <div className="flex flex-col gap-2">
      <div aria-hidden className="flex h-2 overflow-hidden rounded-full bg-sunken">
        {segments.map(({ label, share, colour }) => (
          <span key={label} className={colour} style={{ width: `${share}%` }} />
        ))}
      </div>
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted" aria-label="Timings">
        {segments.map(({ label, ms, colour }) => (
          <li key={label} className="flex items-center gap-2">
            <span aria-hidden className={`size-2 rounded-full ${colour}`} />
            {label} <span className="text-text tabular-nums">{ms} ms</span>
          </li>
        ))}
        <li>
          Total <span className="text-text tabular-nums">{timings.total_ms} ms</span>
        </li>
      </ul>
    </div>
  );
}
