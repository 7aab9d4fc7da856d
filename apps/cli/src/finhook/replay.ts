import type { Replay } from '@finhook/contracts';
import { Command } from 'commander';
import { Failure } from './failure.ts';
import { addInputs, readInput } from './fields.ts';
import type { Service } from './http-api.ts';
import { plural } from './output.ts';
import { pause, withRetries } from './pages.ts';
import { addServiceFlags, connect, type ServiceFlags, type Session } from './session.ts';
import { operation } from './table.ts';

const EVERY_MS = 1_000;

export function replayCommand(session: Session): Command {
  const of = operation('webhookEndpoints.replay');
  const command = new Command('replay')
    .summary('send past events to an endpoint again, and watch')
    .description(
      'Starts a replay, shows its progress and ends with it. --dry-run only counts. Ctrl-C stops watching, and the replay goes on.',
    );
  addInputs(command, of);
  command.option('--idempotency-key <key>', 'repeat an earlier call without doing it twice');
  addServiceFlags(command);
  return command.action(() => replay(command, session));
}

async function replay(command: Command, session: Session): Promise<void> {
  const flags: ServiceFlags & { idempotencyKey?: string } = command.opts();
  const { output } = session;
  const { service } = connect(session, flags);
  const input = readInput(operation('webhookEndpoints.replay'), command.args, command.opts(), session.input);
  const { text: started, body } = await service.call<Replay>('webhookEndpoints.replay', input, flags);
  const { id, matched } = body;
  if (input['dry_run'] === true) {
    if (flags.json) output.printJson(started);
    else output.print(`${plural(matched, 'event')} would be sent.`);
    return await sayRetrying(service, input['endpoint_id'], session);
  }
  output.say(
    `${id} sends ${plural(matched, 'event')}. Stop it: finhook replays pause ${id}, or finhook replays cancel ${id}`,
  );
  for (let shown = ''; ; ) {
    const read = () => service.call<Replay>('replays.get', { replay_id: id });
    const { text, body: current } = await withRetries(read, output, session.signal);
    const line = progressOf(current);
    if (line !== shown) output.say(line);
    shown = line;
    const { status, failed } = current;
    if (status !== 'running' && status !== 'paused') {
      if (flags.json) output.printJson(text);
      else output.show(current);
      await sayRetrying(service, input['endpoint_id'], session);
      if (status !== 'completed' || failed > 0)
        throw new Failure(`The replay ended as ${status}, with failed deliveries: ${failed}.`);
      return;
    }
    await pause(EVERY_MS, session.signal);
  }
}

/** A replay skips deliveries that are still retried, although the next attempt may be hours away. */
async function sayRetrying(service: Service, endpoint_id: unknown, { output, signal }: Session): Promise<void> {
  const retrying = { endpoint_id, status: 'retrying', limit: 1, include: 'total_count' };
  const read = () => service.call<{ total_count: number }>('deliveries.list', retrying);
  const { total_count: count } = (await withRetries(read, output, signal)).body;
  if (count === 0) return;
  output.say(`Deliveries that wait for their next attempt, and are no part of the replay: ${count}. Retry them now:`);
  output.say(
    `  finhook deliveries list --endpoint-id ${String(endpoint_id)} --status retrying --all --json | jq -r .id | while read -r id; do finhook deliveries retry "$id"; done`,
  );
}

function progressOf({ status, enqueued, matched, delivered, open, failed, waiting_for }: Replay): string {
  const wait = waiting_for === null ? '' : `, waits for ${waiting_for.replaceAll('_', ' ')}`;
  return `${status}: ${enqueued} of ${matched} sent, ${delivered} delivered, ${open} open, ${failed} failed${wait}`;
}
