import { useNavigate } from '@tanstack/react-router';
import { explain } from '../../lib/problem.ts';
import { useSession, useSessionStore } from '../../lib/use-session.ts';
import { ActionMenu } from '../menu.tsx';
import { useToast } from '../toast.tsx';
import { type Theme, useTheme } from './use-theme.ts';

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
      <span className="max-w-40 truncate">{session.account.name}</span>
      <span className="text-muted">
        {session.role}
        {session.account.mode === 'test' && ' · test'}
      </span>
    </ActionMenu>
  );
}
