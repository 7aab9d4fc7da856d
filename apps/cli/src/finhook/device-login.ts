import { hostname } from 'node:os';
import type { deviceLoginOperations } from '@finhook/contracts';
import { plain } from '../clean-text.ts';
import { Failure, Rejected } from './failure.ts';
import { createService, type OutputOf } from './http-api.ts';
import { isTemporary, pause } from './pages.ts';
import type { Session } from './session.ts';

type Codes = OutputOf<typeof deviceLoginOperations.begin>;

/** RFC 8628, section 3.5. */
const SLOW_DOWN_SECONDS = 5;

/** Waits until a person allows the login in the dashboard, and returns the key without storing it. */
export async function requestKey(
  address: { url: string; cell?: string | undefined },
  session: Session,
): Promise<string> {
  const { output, signal } = session;
  const service = createService(address, signal);
  const begun = await service.post<Codes>('/device-authorization', { client_name: `finhook on ${hostname()}` });
  const { device_code, user_code, verification_uri_complete, expires_in, interval } = begun.body;
  output.say(`Open this page in a browser, check that it shows the code ${plain(user_code)}, and allow the login:`);
  output.say(`\n  ${plain(verification_uri_complete)}\n`);
  output.say(
    `Waiting for at most ${Math.round(expires_in / 60)} minutes. Ctrl-C gives up. Only you should have this code.`,
  );
  const end = Date.now() + expires_in * 1_000;
  let [seconds, wanted] = [interval, 0];
  while (Date.now() < end) {
    await pause(Math.max(seconds, wanted) * 1_000, signal);
    try {
      return (await service.post<{ key: string }>('/device-token', { device_code })).body.key;
    } catch (error) {
      // A poll may fail without a response.
      if (!isTemporary(error)) throw error;
      if (!(error instanceof Rejected)) continue;
      wanted = error.retryAfter ?? 0;
      if (error.problem.code === 'slow_down') seconds += SLOW_DOWN_SECONDS;
    }
  }
  throw new Failure('Nobody confirmed the login in time. Run finhook login again.');
}
