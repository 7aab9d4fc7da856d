import type { SessionState } from '@finhook/contracts';
import type { ApiClient, ApiResponse, SendOptions } from './api-client.ts';

/** The headers of a request by a page of the service. */
export const own = { 'sec-fetch-site': 'same-origin' };

/** A browser that is signed in. */
export interface Browser {
  cookie: string;
  state: SessionState;
  /** Sends the session cookie and the CSRF token. */
  options: (more?: SendOptions['headers']) => SendOptions;
}

/** Signs in with a key, like the page of the dashboard. */
export function signIn(
  client: ApiClient,
  api_key: string,
  options: SendOptions = {},
): Promise<ApiResponse<SessionState>> {
  return client.send('POST', '/dashboard/session', { key: null, body: { api_key }, headers: own, ...options });
}

/** The session's cookie in a response that sets one. */
export function cookieOf({ headers }: ApiResponse): string {
  return headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '';
}

export function browserOf(cookie: string, state: SessionState): Browser {
  const options: Browser['options'] = (more = {}) => ({
    key: null,
    headers: { ...own, cookie, 'x-csrf-token': state.csrf_token, ...more },
  });
  return { cookie, state, options };
}

/** Signs a new browser in. */
export async function openBrowser(client: ApiClient, apiKey: string): Promise<Browser> {
  const response = await signIn(client, apiKey);
  if (response.status !== 201) throw new Error(`No session was opened: ${response.status} ${response.text}`);
  return browserOf(cookieOf(response), response.body);
}
