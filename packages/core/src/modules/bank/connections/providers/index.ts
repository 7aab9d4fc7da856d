/** The providers that the service pulls, by the name in a connection; all others push. */
import { http } from './http.ts';
import type { Provider } from './provider.ts';
import { sandbox } from './sandbox.ts';

export const providers: ReadonlyMap<string, Provider> = new Map([
  ['http', http],
  ['sandbox', sandbox],
]);
