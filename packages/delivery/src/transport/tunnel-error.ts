/**
 * Why there is no tunnel. PROXY_UNREACHABLE and PROXY_AUTH are faults of this installation; PROXY_REFUSED and
 * PROXY_TIMEOUT are what the proxy says of the target. Names neither the proxy nor the target.
 */
export class TunnelError extends Error {
  override readonly name = 'TunnelError';
  readonly code: 'PROXY_UNREACHABLE' | 'PROXY_AUTH' | 'PROXY_REFUSED' | 'PROXY_TIMEOUT';

  constructor(code: TunnelError['code'], cause?: unknown) {
    super(
      code === 'PROXY_UNREACHABLE'
        ? 'the outgoing proxy can not be reached: check WEBHOOK_PROXY_URL'
        : code === 'PROXY_AUTH'
          ? 'the outgoing proxy wants other credentials: check WEBHOOK_PROXY_URL'
          : 'the outgoing proxy did not connect to the target',
      cause === undefined ? undefined : { cause },
    );
    this.code = code;
  }
}

/** Whether the proxy lets nothing through: it is away, or wants other credentials. */
export function isProxyFault(error: unknown): boolean {
  return error instanceof TunnelError && (error.code === 'PROXY_UNREACHABLE' || error.code === 'PROXY_AUTH');
}
