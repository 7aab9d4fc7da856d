import { type ReactNode, useState } from 'react';
import { FilterChoice } from '../../../../components/filter-bar.tsx';
import { type Attempt, outcomeOf } from '../attempt.view.ts';
import { AttemptEvidence } from './attempt-evidence.tsx';
import { Comparison } from './compare.tsx';

/** The URL parameters of the attempts that are shown. */
export type ChosenAttempts = Partial<Record<'attempt' | 'compare', string | undefined>>;

interface AttemptsProps {
  attempts: readonly Attempt[];
  chosen: ChosenAttempts;
  /** Number of the attempt to show if none is chosen, once it exists. */
  wanted: number | undefined;
  onChoose: (change: ChosenAttempts) => void;
  body: ReactNode;
}

const numbered = (attempts: readonly Attempt[], n: string | number | undefined): Attempt | undefined =>
  attempts.find((one) => String(one.n) === String(n));

/** A strip of all attempts, and the evidence of one of them or what differs between two. */
export function Attempts({ attempts, chosen, wanted, onChoose, body }: AttemptsProps): ReactNode {
  // A newer attempt must not replace the one that the user reads.
  const [first, setFirst] = useState(attempts.at(-1)?.n);
  const newest = attempts.at(-1);
  if (first === undefined && newest !== undefined) setFirst(newest.n);
  const shown = numbered(attempts, chosen.attempt) ?? numbered(attempts, wanted) ?? numbered(attempts, first) ?? newest;
  if (shown === undefined) return body;
  const other = numbered(attempts, chosen.compare);
  return (
    <>
      <ol aria-label="Attempts" className="flex flex-wrap gap-2">
        {attempts.map((one) => (
          <li key={one.n}>
            <StripButton attempt={one} isShown={one === shown} onClick={() => onChoose({ attempt: String(one.n) })} />
          </li>
        ))}
      </ol>
      {attempts.length > 1 && (
        <FilterChoice
          label="Compare with attempt…"
          className="max-w-60"
          none="None"
          value={other === shown ? undefined : chosen.compare}
          choices={attempts
            .filter((one) => one !== shown)
            .map((one) => [String(one.n), `${one.n}: ${outcomeOf(one)}`] as const)}
          onChange={(compare) => onChoose({ attempt: String(shown.n), compare })}
        />
      )}
      {other === undefined || other === shown ? (
        <AttemptEvidence key={shown.n} attempt={shown} body={body} />
      ) : (
        <Comparison left={other.n < shown.n ? other : shown} right={other.n < shown.n ? shown : other} />
      )}
    </>
  );
}

interface StripButtonProps {
  attempt: Attempt;
  isShown: boolean;
  onClick: () => void;
}

function StripButton({ attempt, isShown, onClick }: StripButtonProps): React.JSX.Element {
  const { n, error, status_code: code, duration_ms: ms } = attempt;
  const tone = error === null ? 'text-good' : 'text-bad';
  return (
    <button
      type="button"
      aria-current={isShown ? 'true' : undefined}
      title={outcomeOf(attempt)}
      onClick={onClick}
      className="flex min-w-14 flex-col items-center rounded-md border px-2 py-1 text-xs tabular-nums hover:bg-sunken aria-[current]:border-accent aria-[current]:bg-accent-soft"
    >
      <span className="font-semibold">
        <span className="sr-only">Attempt </span>
        {n}
        <span className="sr-only">, </span>
      </span>
      <span className={tone}>
        {code ?? 'Error'}
        <span className="sr-only">, </span>
      </span>
      <span className="text-muted">{ms} ms</span>
    </button>
  );
}
