/** How the body that was received differs from the one that was signed. */
export type BodyFault = 'body_empty' | 'body_reserialised' | 'body_reencoded' | 'body_altered' | 'other_event';

interface Bodies {
  readonly body: Uint8Array;
  /** The bytes that were sent, where the caller knows them. */
  readonly sentBody?: Uint8Array | undefined;
  /** The event that the headers name. */
  readonly eventId?: string | null | undefined;
}

/**
 * Finds the body that the signature does belong to, and says how the received one came to differ from it. Without
 * `sentBody` it tries what receivers usually do to a body. `matches` verifies a body against the same headers.
 */
export function diagnoseBody(bodies: Bodies, matches: (body: Uint8Array) => boolean): BodyFault | undefined {
  const { body, sentBody, eventId } = bodies;
  if (body.length === 0) return 'body_empty';
  const unmangled = undoLatin1(body);
  const value = parseJson(body);
  const foreign = (expected: unknown): boolean => {
    const id = idOf(value);
    return typeof id === 'string' && typeof expected === 'string' && id !== expected;
  };
  if (sentBody !== undefined && matches(sentBody)) {
    if (Buffer.compare(unmangled, sentBody) === 0) return 'body_reencoded';
    const sent = parseJson(sentBody);
    if (value !== undefined && canonical(value) === canonical(sent)) return 'body_reserialised';
    return foreign(idOf(sent)) ? 'other_event' : 'body_altered';
  }
  if (matches(unmangled)) return 'body_reencoded';
  if (value !== undefined && matches(Buffer.from(JSON.stringify(value)))) return 'body_reserialised';
  return foreign(eventId) ? 'other_event' : undefined;
}

/** The bytes whose Latin-1 reading, written as UTF-8, is `body`. */
function undoLatin1(body: Uint8Array): Buffer {
  return Buffer.from(Buffer.from(body).toString('utf8'), 'latin1');
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

function idOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, 'id') : undefined;
}

/** The same text for values that are equal whatever the order of their keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
