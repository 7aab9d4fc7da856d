import { Link, type LinkProps } from '@tanstack/react-router';
import { Badge } from '../badge.tsx';
import { useNow } from '../time.tsx';
import { countText, isUrgent, useInbox } from './inbox.ts';

interface Destination {
  to: NonNullable<LinkProps['to']>;
  label: string;
}

const groups: ReadonlyArray<readonly [title: string, destinations: readonly Destination[]]> = [
  [
    'Money',
    [
      { to: '/', label: 'Overview' },
      { to: '/spending', label: 'Spending' },
      { to: '/transactions', label: 'Transactions' },
      { to: '/balances', label: 'Balances' },
      { to: '/financials', label: 'Financials' },
      { to: '/data-quality', label: 'Data quality' },
      { to: '/connections', label: 'Bank accounts' },
      { to: '/approvals', label: 'Approvals' },
    ],
  ],
  [
    'Company',
    [
      { to: '/companies', label: 'Companies' },
      { to: '/compliance', label: 'Filings and compliance' },
      { to: '/cases', label: 'Cases' },
      { to: '/directives', label: 'Directives' },
      { to: '/agents', label: 'Agents' },
    ],
  ],
  [
    'Developers',
    [
      { to: '/settings/webhooks', label: 'Webhooks' },
      { to: '/logs', label: 'Activity log' },
      { to: '/requests', label: 'Requests' },
      { to: '/settings/keys', label: 'API keys' },
      { to: '/settings/sessions', label: 'Sessions' },
    ],
  ],
];

/** The pages of the navigation, in its order. */
export const navigationPages: readonly Destination[] = groups.flatMap(([, pages]) => pages);

export function Navigation({ onNavigate }: { onNavigate?: () => void }): React.JSX.Element {
  return (
    <nav aria-label="Main" className="flex flex-col gap-5">
      {groups.map(([title, destinations]) => (
        <div key={title}>
          <p className="px-3 pb-1 text-xs font-medium text-muted">{title}</p>
          <ul>
            {destinations.map(({ to, label }) => (
              <li key={label}>
                <Link
                  to={to}
                  activeOptions={{ exact: to === '/', includeSearch: false }}
                  {...(onNavigate ? { onClick: onNavigate } : {})}
                  className="flex items-center justify-between gap-2 rounded-md px-3 py-2 text-sm hover:bg-sunken lg:py-1 aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent"
                >
                  {label}
                  {to === '/approvals' && <WaitingCount />}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

interface WaitingCountProps {
  /** Says what waits, beside a label that does not. */
  named?: boolean;
}

/** How many approvals wait; red while one expires within two hours. */
export function WaitingCount({ named = false }: WaitingCountProps): React.JSX.Element | null {
  const inbox = useInbox();
  const now = useNow();
  const { waiting } = inbox;
  if (waiting.length === 0) return null;
  const urgent = waiting.some((one) => isUrgent(one, now));
  return (
    <Badge tone={urgent ? 'bad' : 'info'}>
      {countText(inbox)}
      <span className="sr-only">
        {named && (waiting.length === 1 ? ' approval' : ' approvals')} waiting
        {urgent && ', one expires within two hours'}
      </span>
    </Badge>
  );
}
