import type { ConnectSteps } from './peer.ts';

type ConnectStage = 'lookup' | 'connect' | 'tls_handshake';

export function stageOf(steps: ConnectSteps, isLiteral: boolean): ConnectStage {
  if (steps.connect !== null) return 'tls_handshake';
  return steps.dns === null && !isLiteral ? 'lookup' : 'connect';
}

export type Reached =
  | { readonly stage: ConnectStage }
  | { readonly stage: 'request'; readonly sentBytes: number; readonly bodyBytes: number }
  /** `hasBegun`: an interim response or part of a status line arrived. */
  | { readonly stage: 'response'; readonly hasBegun?: boolean }
  | { readonly stage: 'head' | 'body'; readonly statusCode: number };

type Timeout = { readonly errorCode: `${Reached['stage']}_timeout`; readonly message: string };

export function timeoutAt(reached: Reached, timeoutMs: number): Timeout {
  return { errorCode: `${reached.stage}_timeout`, message: timeoutMessage(reached, `within ${timeoutMs / 1000} s`) };
}

function timeoutMessage(reached: Reached, limit: string): string {
  switch (reached.stage) {
    case 'lookup':
      return `The host name was not resolved ${limit}.`;
    case 'connect':
      return `The connection was not established ${limit}.`;
    case 'tls_handshake':
      return `The connection was accepted; the TLS handshake did not end ${limit}.`;
    case 'request':
      return `Only ${shareOf(reached)} of the request body could be sent ${limit}: the receiver did not read the rest.`;
    case 'response':
      return reached.hasBegun === true
        ? `The request was sent and a response began; no final status arrived ${limit}.`
        : `The request was sent; no response arrived ${limit}.`;
    default:
      return `${reached.statusCode} arrived; its ${reached.stage === 'head' ? 'headers' : 'body'} did not end ${limit}.`;
  }
}

function shareOf({ sentBytes, bodyBytes }: { readonly sentBytes: number; readonly bodyBytes: number }): string {
  return `${Math.floor(sentBytes / 1024)} of ${Math.ceil(bodyBytes / 1024)} KiB`;
}

/** Message for a connection that closed during a response; undefined if before it. */
export function closedAt(reached: Reached, errorCode: string | undefined): string | undefined {
  const message = closedMessage(reached);
  return message === undefined || errorCode === undefined ? message : `${message} (${errorCode})`;
}

function closedMessage(reached: Reached): string | undefined {
  switch (reached.stage) {
    case 'request':
      return `The connection was closed when ${shareOf(reached)} of the request body were sent.`;
    case 'head':
      return `${reached.statusCode} arrived; the connection was closed before its headers ended.`;
    case 'response':
      return reached.hasBegun === true
        ? 'A response began; the connection was closed before its final status arrived.'
        : undefined;
    default:
      return undefined;
  }
}

const connectMessages = {
  lookup: 'The host name could not be resolved in time.',
  connect: 'The connection could not be established in time.',
  tls_handshake: 'The connection was accepted, but the TLS handshake did not end in time.',
} as const;

export function connectTimeoutAt(steps: ConnectSteps, isLiteral: boolean): Timeout {
  const stage = stageOf(steps, isLiteral);
  return { errorCode: `${stage}_timeout`, message: connectMessages[stage] };
}
