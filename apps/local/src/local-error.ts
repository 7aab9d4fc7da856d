/** A failure with a sentence for the person at the terminal: what is wrong and what to do. */
export class LocalError extends Error {
  override readonly name = 'LocalError';
}

function codeOf(error: unknown): string | undefined {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** The failure to listen, in plain words where it is a usual one. */
export function explainListenError(error: unknown, host: string, port: number): unknown {
  const code = codeOf(error);
  if (code === 'EADDRINUSE') {
    return new LocalError(
      `Port ${port} on ${host} is taken. Stop the program that uses it, or choose another one: PORT=${port + 1}.`,
    );
  }
  if (code === 'EACCES') {
    return new LocalError(`Port ${port} needs administrator rights. Choose one above 1023: PORT=3000.`);
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new LocalError(`HOST=${host} is no address of this machine. Use 127.0.0.1, or 0.0.0.0 for every interface.`);
  }
  return error;
}
