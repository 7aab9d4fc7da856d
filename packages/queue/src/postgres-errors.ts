const readOnlyCode = '25006';
/** too many connections, admin shutdown, crash shutdown, cannot connect now, read-only transaction */
const serverCodes = ['53300', '57P01', '57P02', '57P03', readOnlyCode];
const socketCodes = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
];
const connectionErrorCodes = new Set([...serverCodes, ...socketCodes]);
/** pg's own errors, which have no code. */
const connectionErrorMessages = [
  'Connection terminated',
  'connection timeout',
  'timeout exceeded',
  'Query read timeout',
  'not queryable',
];
/** undefined table, undefined function, invalid schema name */
const missingSchemaCodes = new Set(['42P01', '42883', '3F000']);
/** duplicate table, duplicate object, duplicate function */
const duplicateCodes = new Set(['42P07', '42710', '42723']);

export function readOnlyError(): Error {
  return Object.assign(new Error('The server accepts no writes: it is read-only, or a replica.'), {
    code: readOnlyCode,
  });
}

export function isConnectionError(error: unknown): boolean {
  const code = codeOf(error);
  if (connectionErrorCodes.has(code) || code.startsWith('08')) return true;
  return error instanceof Error && connectionErrorMessages.some((words) => error.message.includes(words));
}

export function isMissingSchema(error: unknown): boolean {
  return (
    missingSchemaCodes.has(codeOf(error)) || (error instanceof Error && error.name === 'SchemaMigrationRequiredError')
  );
}

export function isDuplicateObject(error: unknown): boolean {
  return duplicateCodes.has(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
