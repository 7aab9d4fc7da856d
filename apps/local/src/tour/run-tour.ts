import { type DemoReceiver, startDemoReceiver } from '../demo/demo-receiver.ts';
import type { Target } from '../find-or-start.ts';
import { LocalError } from '../local-error.ts';
import { startLoopbackServer } from '../start-loopback-server.ts';
import { type DocumentedOperation, readOperations } from './api-document.ts';
import { type EventSchemas, readEventSchemas } from './event-schemas.ts';
import { type Answer, attempt, type Explorer, makersOf } from './explore.ts';
import { isObject, type JsonObject } from './json.ts';
import { createKnownRecords } from './known-records.ts';
import { bodyFor } from './request-bodies.ts';

const PATIENCE_MS = 20_000;

export interface TourTarget extends Target {
  /** The key of another person, for what the requester may not decide. */
  reviewerKey: string;
}

/** How one event type fared: what caused it, how soon it came, and what was wrong with it. */
export interface Sight {
  type: string;
  cause: string;
  /** Undefined when it did not come. */
  latencyMs: number | undefined;
  faults: readonly string[];
}

/**
 * Causes every event of the catalogue on a running service and receives it, knowing `openapi.json` and `GET /event-types`
 * and nothing else: which operation emits what, what it takes, and which records it needs are read there. `ending` takes
 * its endpoints away when it is disposed before this is done.
 */
export async function runTour(
  target: TourTarget,
  tell: (sight: Sight) => void,
  ending?: AsyncDisposableStack,
): Promise<Sight[]> {
  const send = senderTo(target);
  const document = (await send('GET', '/api/v1/openapi.json')).body;
  if (!isObject(document)) throw new LocalError(`${target.api_url}/api/v1/openapi.json is no OpenAPI document.`);
  const explorer: Explorer = { operations: readOperations(document), records: createKnownRecords(), send };
  const schemas = readEventSchemas(document, (await send('GET', '/api/v1/event-types')).body);

  await using cleanUp = new AsyncDisposableStack();
  ending?.use(cleanUp);
  const receiver = await startDemoReceiver();
  cleanUp.defer(receiver.close);
  // Every delivery to it fails, so that its endpoint is soon told of as failing.
  const broken = await startLoopbackServer((_, response) => void response.writeHead(500).end());
  cleanUp.defer(broken.close);
  receiver.useSecret(await subscribe(explorer, receiver.url, cleanUp));
  await subscribe(explorer, broken.url, cleanUp);

  const sights: Sight[] = [];
  for (const type of schemas.types) {
    const sight = describe(type, await cause(explorer, type, receiver), receiver, schemas);
    sights.push(sight);
    tell(sight);
  }
  return sights;
}

type Send = (method: string, path: string, body?: JsonObject) => Promise<Answer>;

function senderTo({ api_url, api_key, reviewerKey }: TourTarget): Send {
  const sendAs = async (key: string, ...[method, path, body]: Parameters<Send>): Promise<Answer> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const content = body === undefined || method === 'GET' ? {} : { body: JSON.stringify(body) };
    const response = await fetch(api_url + path, { method, headers, ...content });
    const text = await response.text();
    const parsed: unknown = text === '' ? null : JSON.parse(text);
    return { status: response.status, body: parsed };
  };
  return async (...call) => {
    const answer = await sendAs(api_key, ...call);
    const isOwn = isObject(answer.body) && answer.body['code'] === 'self_review';
    return isOwn ? sendAs(reviewerKey, ...call) : answer;
  };
}

/** Makes an endpoint for every event, to be deleted afterwards, and returns its secret. */
async function subscribe(explorer: Explorer, url: string, cleanUp: AsyncDisposableStack): Promise<string> {
  const [create] = makersOf(explorer, 'endpoint_id');
  const answer = create && (await explorer.send(create.method, create.path, { url, events: [] }));
  const { id, secret } = isObject(answer?.body) ? answer.body : {};
  if (typeof id !== 'string' || typeof secret !== 'string')
    throw new LocalError(`No webhook endpoint could be made: ${JSON.stringify(answer?.body)}`);
  const remove = explorer.operations.find(
    ({ method, path }) => method === 'DELETE' && path === `${create?.path}/{endpoint_id}`,
  );
  if (remove)
    cleanUp.defer(async () => void (await explorer.send('DELETE', remove.path.replace('{endpoint_id}', id), {})));
  return secret;
}

/** Calls what promises this event until it comes, and says which operation it was. */
async function cause(explorer: Explorer, type: string, receiver: DemoReceiver): Promise<string> {
  const hasCome = (): boolean => [...receiver.events.values()].some((event) => event.type === type);
  // What an operation emits first is what it is for.
  const promising = explorer.operations
    .filter(({ emits }) => emits.includes(type))
    .sort((a, b) => a.emits.indexOf(type) - b.emits.indexOf(type));
  if (promising.length === 0) {
    await receiver.waitFor(hasCome, PATIENCE_MS);
    return hasCome() ? 'deliveries that were answered with 500' : 'no operation promises it';
  }
  for (const operation of promising) {
    if (!hasCome() && !(await attempt(explorer, operation, bodyFor(operation, type)))) continue;
    await receiver.waitFor(hasCome, PATIENCE_MS);
    if (hasCome()) return nameOf(operation);
  }
  return promising.map(nameOf).join(' or ');
}

function nameOf({ method, path }: DocumentedOperation): string {
  return `${method} ${path.replace('/api/v1', '')}`;
}

function describe(type: string, by: string, receiver: DemoReceiver, schemas: EventSchemas): Sight {
  const received = [...receiver.events.values()].filter((event) => event.type === type);
  const faults = received.flatMap(({ envelope }) => schemas.faultsOf(envelope));
  return { type, cause: by, latencyMs: received[0]?.latencyMs, faults: [...faults, ...receiver.refused] };
}
