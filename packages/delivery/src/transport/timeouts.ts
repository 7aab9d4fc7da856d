import type { ConnectSteps } from './peer.ts';

/** What an exchange was waiting for when its time ended. */
export type Stage = 'lookup' | 'connect' | 'tls_handshake' | 'response' | 'body';

/** The next step of a connection that is not established. */
export function stageOf(steps: ConnectSteps, isLiteral: boolean): Stage {
  if (steps.connect !== null) return 'tls_handshake';
  return steps.dns === null && !isLiteral ? 'lookup' : 'connect';
}

type Timeout = { readonly errorCode: `${Stage}_timeout`; readonly message: string };

/** The failure of an exchange at its deadline; `statusCode` is that of a response whose body has not ended. */
export function timeoutAt(stage: Stage, timeoutMs: number, statusCode: number): Timeout {
  const limit = `within ${timeoutMs / 1000} s`;
  const messages: Readonly<Record<Stage, string>> = {
    lookup: `The host name was not resolved ${limit}.`,
    connect: `The connection was not established ${limit}.`,
    tls_handshake: `The connection was accepted; the TLS handshake did not end ${limit}.`,
    response: `The request was sent; no response arrived ${limit}.`,
    body: `${statusCode} arrived; its body did not end ${limit}.`,
  };
  return { errorCode: `${stage}_timeout`, message: messages[stage] };
}

const connectMessages = {
  lookup: 'The host name could not be resolved in time.',
  connect: 'The connection could not be established in time.',
  tls_handshake: 'The connection was accepted, but the TLS handshake did not end in time.',
} as const;

/** The failure of a connection that was not established within the connect timeout. */
export function connectTimeoutAt(steps: ConnectSteps, isLiteral: boolean): Timeout {
  const stage = stageOf(steps, isLiteral);
  const message = stage === 'response' || stage === 'body' ? connectMessages.connect : connectMessages[stage];
  return { errorCode: `${stage}_timeout`, message };
}
