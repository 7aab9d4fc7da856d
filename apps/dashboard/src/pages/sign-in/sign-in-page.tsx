import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { TextField } from '../../components/field.tsx';
import { Form, formText } from '../../components/form.tsx';
import { explain } from '../../lib/problem.ts';
import { useSessionStore } from '../../lib/use-session.ts';

function safePath(next: string | undefined): string {
  return next?.startsWith('/') === true && !next.startsWith('//') && !next.startsWith('/sign-in') ? next : '/';
}

function Notice({ children }: { children: React.ReactNode }): React.JSX.Element {
  return (
    <p role="alert" className="rounded-md border border-warn bg-warn-soft p-3 text-sm text-warn">
      {children}
    </p>
  );
}

/** Exchanges an API key for a session. The key is sent once and never stored in the browser. */
export function SignInPage(): React.JSX.Element {
  const store = useSessionStore();
  const navigate = useNavigate();
  const { next, refused, ended } = useSearch({ from: '/sign-in' });
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const path = useRef(safePath(next));
  useEffect(() => {
    document.title = 'Sign in · finhook';
    void store.load().then(
      (session) => session && navigate({ href: path.current, replace: true }),
      () => undefined,
    );
  }, [store, navigate]);

  async function signIn(data: FormData): Promise<void> {
    setBusy(true);
    setError(undefined);
    try {
      await store.signIn(formText(data, 'api_key') ?? '');
      await navigate({ href: path.current, replace: true });
    } catch (failure) {
      setError(new Error(explain(failure)));
    } finally {
      setBusy(false);
    }
  }

  return (
    <main className="mx-auto flex min-h-screen max-w-md flex-col justify-center gap-6 p-6">
      <div>
        <p className="text-lg font-semibold tracking-tight">finhook</p>
        <h1 className="mt-4 text-2xl font-semibold">Sign in</h1>
        <p className="mt-1 text-sm text-muted">
          Use an API key with the human scope. Read keys open the dashboard in read-only mode.
        </p>
      </div>
      {refused !== undefined && (
        <Notice>
          This link has expired or was already used. Sign in with an API key, or print a new link:{' '}
          <code>npx -y pnpm@12.21.0 run sign-in</code>
        </Notice>
      )}
      {ended !== undefined && <Notice>Your session has ended. Sign in again. Unsaved changes are lost.</Notice>}
      <Form submit="Sign in" busy={busy} error={error} onSubmit={(data) => void signIn(data)}>
        <TextField
          label="API key"
          name="api_key"
          type="password"
          required
          autoComplete="current-password"
          autoFocus
          placeholder="sk_live_…"
          hint="We exchange it for a session that expires. The key is never stored in your browser."
        />
      </Form>
    </main>
  );
}
