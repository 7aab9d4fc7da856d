import { type ReactNode, useId } from 'react';
import { plural } from '../../../../lib/text.ts';
import type { Attempt } from '../attempt.view.ts';
import { type ComparedGroup, compareAttempts, linesOf } from './compare.view.ts';

interface ComparisonProps {
  left: Attempt;
  right: Attempt;
}

/** Two attempts in two columns: only what differs. */
export function Comparison({ left, right }: ComparisonProps): React.JSX.Element {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex flex-col gap-4">
      <h4 id={id} className="text-sm font-semibold">
        Attempt {left.n} and attempt {right.n}
      </h4>
      {compareAttempts(left, right).map((group) => (
        <GroupTable key={group.title} group={group} left={left.n} right={right.n} />
      ))}
      <Bodies left={left} right={right} />
    </section>
  );
}

interface GroupTableProps {
  group: ComparedGroup;
  left: number;
  right: number;
}

function GroupTable({ group: { title, different, same }, left, right }: GroupTableProps): React.JSX.Element {
  const rest = same === 0 ? '' : `${plural(same, 'other value')} ${same === 1 ? 'is' : 'are'} the same.`;
  if (different.length === 0)
    return (
      <p className="text-sm">
        <strong className="font-medium">{title}</strong> <span className="text-muted">No differences. {rest}</span>
      </p>
    );
  return (
    <div className="flex flex-col gap-1">
      <table className="w-full table-fixed border-collapse text-xs">
        <caption className="pb-1 text-left text-sm font-medium">{title}</caption>
        <thead>
          <tr className="border-b text-left text-muted">
            <th scope="col" className="w-1/4 py-1 pr-2 font-medium">
              Field
            </th>
            {[left, right].map((n) => (
              <th key={n} scope="col" className="py-1 pr-2 font-medium">
                Attempt {n}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {different.map(({ name, ...values }) => (
            <tr key={name} className="border-b align-top">
              <th scope="row" className="py-1 pr-2 text-left font-normal wrap-anywhere text-muted">
                {name}
              </th>
              {[values.left, values.right].map((value, i) => (
                <td key={i === 0 ? 'left' : 'right'} className="py-1 pr-2 font-mono wrap-anywhere">
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rest !== '' && <p className="text-xs text-muted">{rest}</p>}
    </div>
  );
}

function Bodies({ left, right }: ComparisonProps): ReactNode {
  const [one, other] = [left.response_snippet ?? '', right.response_snippet ?? ''];
  if (one === other)
    return (
      <p className="text-sm">
        <strong className="font-medium">Response body</strong>{' '}
        <span className="text-muted">{one === '' ? 'Neither response had one.' : 'No differences.'}</span>
      </p>
    );
  return (
    <div className="flex flex-col gap-1">
      <h5 className="text-sm font-medium">Response body</h5>
      <div className="grid grid-cols-2 gap-2">
        <Body n={left.n} text={one} other={other} />
        <Body n={right.n} text={other} other={one} />
      </div>
    </div>
  );
}

function Body({ n, text, other }: { n: number; text: string; other: string }): React.JSX.Element {
  return (
    // A scrollable region must be focusable.
    <pre
      tabIndex={0}
      aria-label={`Response body of attempt ${n}`}
      className="max-h-96 min-w-0 overflow-auto rounded-md border bg-sunken p-2 text-xs whitespace-pre-wrap wrap-anywhere"
    >
      {text === ''
        ? 'No body'
        : linesOf(text, other).map((line, i) => (
            <span key={`${i} ${line.text}`} className={`block ${line.isOwn ? 'bg-warn-soft text-warn' : ''}`}>
              {line.text}
            </span>
          ))}
    </pre>
  );
}
