import type { ReactNode } from 'react';
import { RecordLink } from '../../components/record-link.tsx';
import { visibleText } from '../../lib/text.ts';
import type { Fact } from './context.view.ts';
import type { PayloadField } from './payload.view.ts';

const marks: Record<Fact['tone'], readonly [sign: string, colour: string, word: string]> = {
  bad: ['!', 'bg-bad-soft text-bad', 'Warning: '],
  warn: ['!', 'bg-warn-soft text-warn', 'Note: '],
  good: ['✓', 'bg-good-soft text-good', ''],
  neutral: ['·', 'bg-sunken text-muted', ''],
};

export function Facts({ facts }: { facts: readonly Fact[] }): React.JSX.Element {
  return (
    <ul className="flex flex-col gap-3 text-sm">
      {facts.map(({ id, tone, text, record }) => {
        const [sign, colour, word] = marks[tone];
        return (
          <li key={id} className="flex min-w-0 items-start gap-2">
            <span
              aria-hidden
              className={`flex size-5 shrink-0 items-center justify-center rounded-full text-xs font-semibold ${colour}`}
            >
              {sign}
            </span>
            <span className="min-w-0 wrap-anywhere">
              <span className="sr-only">{word}</span>
              {record === undefined ? visibleText(text) : <RecordLink record={record} text={visibleText(text)} />}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** A value of a payload, with what it replaces. */
export function fieldEntry({ label, value, before }: PayloadField): readonly [label: string, value: ReactNode] {
  if (before === undefined) return [label, value];
  return [
    label,
    <span key={label}>
      <del className="text-muted">
        <span className="sr-only">Old value: </span>
        {visibleText(before)}
      </del>{' '}
      <span aria-hidden>→</span>{' '}
      <ins className="font-medium no-underline">
        <span className="sr-only">New value: </span>
        {visibleText(value)}
      </ins>
    </span>,
  ];
}
