const readOnlyCode = '25006';
/** Too many connections, being shut down, starting up, taking no writes; and what sockets and name look-ups say. */
const awayServerCodes = ['53300', '57P01', '57P02', '57P03', readOnlyCode];
const awaySocketCodes = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'];
const awayCodes = new Set([...awayServerCodes, ...awaySocketCodes, 'ENOTFOUND', 'EAI_AGAIN']);
/** pg gives these no code. */
const awayWords = [
  'Connection terminated',
  'connection timeout',
  'timeout exceeded',
  'Query read timeout',
  'not queryable',
];
/** undefined table, undefined function, invalid schema */
const schemaLostCodes = new Set(['42P01', '42883', '3F000']);
/** duplicate table, object, function */
const duplicateCodes = new Set(['42P07', '42710', '42723']);

/** What the server says of a write while it is a replica or takes none. */
export function readOnlyError(): Error {
  return Object.assign(new Error('The server takes no writes: it is read-only, or a replica.'), { code: readOnlyCode });
}

/** The server can't be reached, or doesn't serve just now. */
export function isAway(error: unknown): boolean {
  const code = codeOf(error);
  if (awayCodes.has(code) || code.startsWith('08')) return true;
  return error instanceof Error && awayWords.some((words) => error.message.includes(words));
}

/** The queue's tables or functions are missing. */
export function isSchemaLost(error: unknown): boolean {
  return (
    schemaLostCodes.has(codeOf(error)) || (error instanceof Error && error.name === 'SchemaMigrationRequiredError')
  );
}

/** A migration met what it wanted to make. */
export function isDuplicate(error: unknown): boolean {
  return duplicateCodes.has(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
