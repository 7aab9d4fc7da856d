import type { ReactNode } from 'react';

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'neutral';

const tones: Record<Tone, string> = {
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  info: 'bg-info-soft text-info',
  neutral: 'bg-sunken text-muted',
};

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }): React.JSX.Element {
  return (
    <span
      className={`inline-flex items-center rounded-full px-2 text-xs leading-5 font-medium whitespace-nowrap ${tones[tone]}`}
    >
      {children}
    </span>
  );
}

const toneOf: Readonly<Record<string, Tone>> = {
  active: 'good',
  succeeded: 'good',
  completed: 'good',
  approved: 'good',
  submitted: 'good',
  linked: 'good',
  fresh: 'good',
  resolved: 'good',
  pass: 'good',
  ok: 'good',
  delivered: 'good',
  pending: 'info',
  open: 'info',
  issued: 'info',
  running: 'info',
  retrying: 'warn',
  logged: 'info',
  forming: 'info',
  waiting: 'warn',
  due: 'warn',
  partial: 'warn',
  warn: 'warn',
  stale: 'warn',
  late: 'warn',
  waiting_approval: 'warn',
  warning: 'warn',
  paused: 'warn',
  suspended: 'warn',
  blocked: 'warn',
  failed: 'bad',
  error: 'bad',
  disabled: 'bad',
  denied: 'bad',
  overdue: 'bad',
  critical: 'bad',
};

const ACRONYMS = /\b(?:api|bic|boi|http|iban|id|llc|lp)\b/gi;

/** `franchise_tax` as `Franchise tax`, `llc` as `LLC`. */
export function sentenceCase(name: string): string {
  const words = name.replaceAll('_', ' ').replaceAll(ACRONYMS, (word) => word.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The words on pages for values that the API names otherwise or shortens. */
const valueWords: Readonly<Record<string, string>> = {
  linked: 'Attached',
  unlinked: 'Detached',
  logged: 'In progress',
  waiting_approval: 'Waiting for approval',
  sole_prop: 'Sole proprietorship',
};

/** A value of a record, such as a status, as words. */
export const valueText = (value: string): string => valueWords[value] ?? sentenceCase(value);

export function StatusBadge({ status }: { status: string }): React.JSX.Element {
  return <Badge tone={toneOf[status] ?? 'neutral'}>{valueText(status)}</Badge>;
}
