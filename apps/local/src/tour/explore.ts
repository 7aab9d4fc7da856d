import { LocalError } from '../local-error.ts';
import type { DocumentedOperation } from './api-document.ts';
import type { JsonObject } from './json.ts';
import { canName, type KnownRecords } from './known-records.ts';
import { bodiesOf, repairBody } from './request-bodies.ts';

export interface Answer {
  status: number;
  body: unknown;
}

/** A service that is known by its document, and what is known of its records so far. */
export interface Explorer {
  operations: readonly DocumentedOperation[];
  records: KnownRecords;
  send: (method: string, path: string, body: JsonObject) => Promise<Answer>;
}

const MAX_REPAIRS = 3;
/** An id in an example stands for a record that has to be there. */
const RECORD_ID = /^[a-z]+_[0-9a-hjkmnp-tv-z]{26}$/;

/** The parameters of the path, and the fields of the body that hold ids. */
function namesIn(operation: DocumentedOperation, body: JsonObject): string[] {
  const fields = Object.entries(body).filter(([, value]) => typeof value === 'string' && RECORD_ID.test(value));
  return [...operation.parameters, ...fields.map(([name]) => name)];
}

/** The operations whose answer is such a new record, then those in whose answer one may stand. */
export function makersOf({ operations }: Explorer, parameter: string): DocumentedOperation[] {
  const makers = operations.filter(({ creates, parameters }) => creates && !parameters.includes(parameter));
  const placeOf = (operation: DocumentedOperation): number =>
    operation.records.findIndex((name) => canName(parameter, name));
  return makers.filter((maker) => placeOf(maker) >= 0).sort((a, b) => placeOf(a) - placeOf(b));
}

async function provide(explorer: Explorer, parameter: string): Promise<void> {
  for (const maker of makersOf(explorer, parameter)) {
    for (const body of bodiesOf(maker)) {
      if (explorer.records.find(parameter) !== undefined) return;
      await attempt(explorer, maker, body);
    }
  }
  if (explorer.records.find(parameter) === undefined)
    throw new LocalError(`No operation of the document makes what ${parameter} names.`);
}

/** Calls an operation with the records that it names, which are made where they are missing. Tells whether it went well. */
async function call(explorer: Explorer, operation: DocumentedOperation, example: JsonObject): Promise<boolean> {
  const { records, send } = explorer;
  const names = namesIn(operation, example);
  for (const name of names) await provide(explorer, name);
  const known = new Map(names.map((name) => [name, records.find(name) ?? '']));
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(known.get(name) ?? ''));
  let body: JsonObject = Object.fromEntries(
    Object.entries(example).map(([name, value]) => [name, known.get(name) ?? value]),
  );
  for (let repairs = 0; ; repairs++) {
    const answer = await send(operation.method, path, body);
    if (answer.status < 300) {
      records.learn(answer.body);
      return true;
    }
    const repaired = answer.status === 422 ? repairBody(operation, body, answer.body) : undefined;
    if (repaired === undefined || repairs === MAX_REPAIRS) return false;
    body = repaired;
  }
}

/** What else can be done to the record that an operation is about, short of making further ones. */
function preparationsFor({ operations }: Explorer, operation: DocumentedOperation): DocumentedOperation[] {
  const record = operation.path.slice(0, operation.path.lastIndexOf('}') + 1);
  return operations.filter(
    ({ method, path, creates, parameters }) =>
      ['PATCH', 'PUT', 'POST'].includes(method) &&
      path.startsWith(record) &&
      path !== operation.path &&
      !creates &&
      parameters.length === operation.parameters.length,
  );
}

/**
 * Calls an operation until it goes well: with the records at hand; with new ones, for a record may have ended; and after
 * each of the other things that can be done to them, for a new record may not be ready for it.
 */
export async function attempt(explorer: Explorer, operation: DocumentedOperation, body: JsonObject): Promise<boolean> {
  if (await call(explorer, operation, body)) return true;
  for (const name of namesIn(operation, body)) explorer.records.forget(name);
  if (await call(explorer, operation, body)) return true;
  if (operation.parameters.length === 0) return false;
  for (const preparation of preparationsFor(explorer, operation)) {
    if (!(await call(explorer, preparation, preparation.example))) continue;
    if (await call(explorer, operation, body)) return true;
  }
  return false;
}
