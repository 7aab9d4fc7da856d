import { randomInt } from 'node:crypto';
import type { ListedDelivery, Operations } from '@finhook/contracts';
import { Command } from 'commander';
import { exitCodes, Failure, Rejected, usageFailure } from './failure.ts';
import { type FeedEvent, forward, isAccepted, readPayload, readReceiver, readWebhookSecret } from './forward.ts';
import type { OutputOf, Service } from './http-api.ts';
import { report } from './listen.ts';
import { pause, readPage } from './pages.ts';
import { addServiceFlags, connect, type ServiceFlags, type Session } from './session.ts';

interface TriggerFlags extends ServiceFlags {
  endpoint?: string;
  forwardTo?: string;
  payload?: string;
}

export function triggerCommand(session: Session): Command {
  const command = new Command('trigger')
    .summary('send a sample of an event')
    .description(
      'Sends a sample of an event type: with --endpoint the service sends it to a webhook endpoint, and the result is ' +
        'shown; with --forward-to this program posts it to a URL, signed as listen signs.',
    )
    .argument('<event>', 'event type, for example bank.balance.updated')
    .option('--endpoint <id>', 'webhook endpoint (we_…) that gets the sample')
    .option('--forward-to <url>', 'address of a handler, or a port of this machine')
    .option('--payload <form>', 'form of the sample with --forward-to: full (the default) or thin');
  addServiceFlags(command);
  return command.action((type: string) => trigger(type, command.opts(), session));
}

async function trigger(type: string, flags: TriggerFlags, session: Session): Promise<void> {
  if ((flags.endpoint === undefined) === (flags.forwardTo === undefined)) {
    throw usageFailure('Give either --endpoint we_… or --forward-to <url>.');
  }
  const isThin = readPayload(flags.payload) === 'thin';
  if (flags.endpoint !== undefined && flags.payload !== undefined) {
    throw usageFailure('Give --payload with --forward-to only: an endpoint gets its samples in its own form.');
  }
  const { service, connection } = connect(session, flags);
  if (flags.endpoint !== undefined)
    return await testEndpoint(service, { event: type, endpoint_id: flags.endpoint }, flags, session);
  const url = readReceiver(flags.forwardTo ?? '');
  const result = await forward(await sampleOf(service, type, isThin), url, readWebhookSecret(connection), {
    isTest: true,
  });
  report(result, flags, session.output);
  if (!isAccepted(result)) throw new Failure('The handler did not accept the event.');
}

type EventType = OutputOf<Operations['eventTypes']['list']>['data'][number];

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const RANDOM_PART = 16;

/** A new id, because handlers drop duplicates. */
async function sampleOf(service: Service, type: string, isThin: boolean): Promise<FeedEvent> {
  const { data } = await readPage<EventType>(service, 'eventTypes.list', {});
  const found = data.find((each) => each.type === type);
  const sample = isThin ? found?.thin_sample : found?.sample;
  if (!sample) throw unknownType(type);
  const random = Array.from({ length: RANDOM_PART }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return { ...sample, id: sample.id.slice(0, -RANDOM_PART) + random, created_at: new Date().toISOString() };
}

function unknownType(type: string): Failure {
  return usageFailure(`There is no event type ${type}. The types are listed by finhook event-types list.`);
}

const POLL_MS = 300;
const TIMEOUT_MS = 30_000;

async function testEndpoint(
  service: Service,
  input: { event: string; endpoint_id: string },
  flags: TriggerFlags,
  { output, signal }: Session,
) {
  let reply = await service.call<ListedDelivery>('webhookEndpoints.test', input).catch((error: unknown) => {
    const isType = error instanceof Rejected && error.problem.errors?.some(({ pointer }) => pointer === '/event');
    throw isType ? unknownType(input.event) : error;
  });
  const { id } = reply.body;
  const until = performance.now() + TIMEOUT_MS;
  while (!['succeeded', 'failed', 'cancelled'].includes(reply.body.status)) {
    if (performance.now() > until)
      throw new Failure(`The delivery ${id} has not ended yet: finhook deliveries why ${id}`);
    await pause(POLL_MS, signal);
    reply = await service.call<ListedDelivery>('deliveries.get', { delivery_id: id });
  }
  if (flags.json) output.printJson(reply.text);
  else output.show(reply.body);
  const { status, reason } = reply.body;
  if (status !== 'succeeded')
    throw new Failure(`The test event was not delivered: ${reason ?? status}`, exitCodes.failed);
}
