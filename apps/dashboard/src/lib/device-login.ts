import type { DeviceLogin } from '@finhook/contracts';
import { errorOf, type SessionState, withNetworkError } from './session-store.ts';
import type { Inputs } from './trpc.ts';

type KeyInput = Inputs['apiKeys']['create'];

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
