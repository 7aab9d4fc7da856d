import type { DeviceLogin } from '@finhook/contracts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Button } from '../../components/button.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { CheckField, TextField } from '../../components/field.tsx';
import { Form, formText } from '../../components/form.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { ErrorState, Loading } from '../../components/states.tsx';
import { Ago } from '../../components/time.tsx';
import { errorOf, type SessionState, withNetworkError } from '../../lib/session-store.ts';
import { visibleText } from '../../lib/text.ts';
import { usePermission, useSession } from '../../lib/use-session.ts';
import { asInput, useOperationFields } from '../../operation/operation-form.tsx';
import { useKeyFields } from '../settings/keys/key-form.tsx';
import { type KeyInput, scopes } from '../settings/keys/keys.view.ts';

export function DevicePage(): React.JSX.Element {
  const { code } = useSearch({ from: '/shell/device' });
  const may = usePermission();
  return (
    <Page
      title="Log in a program"
      intro="A program such as the finhook command line asks for an API key of this account. The key acts for you, and the activity log names you as its creator."
    >
      {may('apiKeys.create') ? (
        <>
          <p role="note" className="max-w-prose rounded-md border border-warn bg-warn-soft p-3 text-sm text-warn">
            Continue only if you started this login yourself, on a machine you trust. If somebody sent you the code or
            the link, they would get the key: deny it.
          </p>
          {code === undefined ? <CodeForm /> : <Confirmation key={code} code={code} />}
        </>
      ) : (
        <p className="text-sm">Your own key can’t create API keys. Sign in with one that can.</p>
      )}
    </Page>
  );
}

function CodeForm(): React.JSX.Element {
  const navigate = useNavigate();
  return (
    <div className="max-w-md">
      <Form
        submit="Continue"
        onSubmit={(data) => void navigate({ to: '/device', search: { code: formText(data, 'code') } })}
      >
        <TextField label="Code" name="code" required autoFocus placeholder="BCDF-GHJK" hint="Shown by the program." />
      </Form>
    </div>
  );
}

/** A key of scope `ingest` can't read `/me`, so `finhook login` fails with it. */
const loginScopes = scopes.filter(([id]) => id !== 'ingest');

function Confirmation({ code }: { code: string }): React.JSX.Element {
  const session = useSession();
  const logins = useMemo(() => createDeviceLogins(session), [session]);
  const login = useQuery({ queryKey: ['device-login', code], queryFn: () => logins.read(code), retry: false });
  if (login.data) return <Decision logins={logins} login={login.data} code={code} />;
  return login.error ? (
    <>
      <ErrorState error={login.error} />
      <CodeForm />
    </>
  ) : (
    <Loading label="Loading the login" lines={6} />
  );
}

function Decision({ logins, login, code }: { logins: DeviceLogins; login: DeviceLogin; code: string }) {
  const deny = useMutation({ mutationFn: () => logins.deny(code) });
  const approve = useMutation({ mutationFn: (key: KeyInput) => logins.approve(code, key) });
  const { controls, read, error } = useOperationFields({
    operation: 'apiKeys.create',
    fields: useKeyFields({
      name: login.client_name,
      scope: 'read',
      offered: loginScopes,
      expiry: '90',
      hint: 'Choose Human if the program also changes data. Its key can do no more than yours.',
    }),
    error: approve.error,
  });
  if (approve.isSuccess) return <Done title="Login allowed">The program gets its key within seconds.</Done>;
  if (deny.isSuccess) return <Done title="Login denied">The program gets no key.</Done>;
  const busy = approve.isPending || deny.isPending;
  const send = (data: FormData): void => {
    const key = read(data);
    if (key) approve.mutate(asInput<'apiKeys.create'>(key));
  };
  return (
    <div className="flex max-w-2xl flex-col gap-6">
      <LoginFacts login={login} />
      <Form submit="Allow" busy={busy} error={error ?? deny.error} onSubmit={send}>
        {controls}
        <CheckField label={`I started this login, and the program shows ${code}`} name="compared" required />
        <div>
          <Button variant="danger" busy={busy} onClick={() => deny.mutate()}>
            Deny
          </Button>
        </div>
      </Form>
    </div>
  );
}

function Done({ title, children }: { title: string; children: string }): React.JSX.Element {
  return (
    <div role="status">
      <Panel title={title}>
        <p className="text-sm">{children} You can close this page.</p>
      </Panel>
    </div>
  );
}

function LoginFacts({ login }: { login: DeviceLogin }): React.JSX.Element {
  return (
    <DescriptionList
      entries={[
        [
          'Code',
          <code key="code" className="text-lg font-semibold">
            {login.user_code}
          </code>,
        ],
        ['Calls itself', visibleText(login.client_name)],
        ['IP address', login.ip],
        ['Started', <Ago key="started" at={login.created_at} />],
        ['Expires', <Ago key="expires" at={login.expires_at} />],
      ]}
    />
  );
}

export interface DeviceLogins {
  read: (userCode: string) => Promise<DeviceLogin>;
  approve: (userCode: string, key: KeyInput) => Promise<void>;
  deny: (userCode: string) => Promise<void>;
}

const PATH = '/dashboard/device-login';

function asLogin(value: unknown): DeviceLogin {
  return value as DeviceLogin;
}

export function createDeviceLogins(
  { csrf_token, id }: Pick<SessionState, 'csrf_token' | 'id'>,
  fetchOf: typeof fetch = (...call) => fetch(...call),
): DeviceLogins {
  const send = withNetworkError(fetchOf);
  const headers = { 'x-csrf-token': csrf_token, 'x-session-id': id };
  const decide = async (verb: string, body: object): Promise<void> => {
    const response = await send(`${PATH}/${verb}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw await errorOf(response);
  };
  return {
    async read(userCode) {
      const response = await send(`${PATH}?${new URLSearchParams({ user_code: userCode }).toString()}`, { headers });
      if (!response.ok) throw await errorOf(response);
      return asLogin(await response.json());
    },
    approve: (userCode, key) => decide('approve', { user_code: userCode, ...key }),
    deny: (userCode) => decide('deny', { user_code: userCode }),
  };
}
