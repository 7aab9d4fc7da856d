import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { explain } from '../../lib/problem.ts';
import { useSession, useSessionStore } from '../../lib/use-session.ts';
import { sentenceCase } from '../badge.tsx';
import { ActionMenu } from '../menu.tsx';
import { useToast } from '../toast.tsx';

/** `system` follows the operating system. `public/theme.js` applies the theme before the first paint. */
type Theme = 'system' | 'light' | 'dark';

const themes: ReadonlyArray<[theme: Theme, label: string]> = [
  ['system', 'System theme'],
  ['light', 'Light theme'],
  ['dark', 'Dark theme'],
];

export function AccountMenu(): React.JSX.Element {
  const session = useSession();
  const store = useSessionStore();
  const navigate = useNavigate();
  const toast = useToast();
  const [theme, setTheme] = useTheme();
  const signOut = (everywhere: boolean): void => {
    store.signOut(everywhere).catch((error: unknown) => toast.bad(explain(error)));
  };
  return (
    <ActionMenu
      label="Account"
      items={[
        ...themes.map(([id, label]) => ({ label: theme === id ? `✓ ${label}` : label, onSelect: () => setTheme(id) })),
        { label: 'Sessions', onSelect: () => void navigate({ to: '/settings/sessions' }) },
        { label: 'Sign out', onSelect: () => signOut(false) },
        { label: 'Sign out everywhere', onSelect: () => signOut(true), danger: true },
      ]}
    >
      <AccountIcon />
      <span className="sr-only sm:not-sr-only sm:max-w-40 sm:truncate">{session.account.name}</span>
      <span className="sr-only text-muted sm:not-sr-only sm:whitespace-nowrap">
        {sentenceCase(session.role)}
        {session.account.mode === 'test' && ' · Test mode'}
      </span>
    </ActionMenu>
  );
}

/** Stands for the names on a phone. */
function AccountIcon(): React.JSX.Element {
  return (
    <svg aria-hidden viewBox="0 0 16 16" className="size-4 fill-none stroke-current stroke-2 sm:hidden">
      <circle cx="8" cy="5" r="3" />
      <path d="M2.5 14.5c0-3 2.5-5 5.5-5s5.5 2 5.5 5" />
    </svg>
  );
}

function storedTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

function useTheme(): [Theme, (next: Theme) => void] {
  const [theme, setTheme] = useState<Theme>(storedTheme);
  return [
    theme,
    (next) => {
      setTheme(next);
      if (next === 'system') {
        delete document.documentElement.dataset['theme'];
        localStorage.removeItem('theme');
      } else {
        document.documentElement.dataset['theme'] = next;
        localStorage.setItem('theme', next);
      }
    },
  ];
}
