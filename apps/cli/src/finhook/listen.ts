import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Command } from 'commander';
import { plain } from '../clean-text.ts';
import { usageFailure } from './failure.ts';
import { endOfFeed, type FeedPage, followFeed } from './feed.ts';
import {
  type Forwarded,
  forward,
  isAccepted,
  readPayload,
  readReceiver,
  readWebhookSecret,
  toThin,
} from './forward.ts';
import type { Output } from './output.ts';
import { type Connection, readJsonFile, writeJsonFile } from './profiles.ts';
import { addServiceFlags, connect, type ServiceFlags, type Session } from './session.ts';

interface ListenFlags extends ServiceFlags {
  forwardTo?: string;
  events?: string[];
  companyId?: string;
  after?: string;
  resume?: boolean;
  printSecret?: boolean;
  payload?: string;
}

/** Forwarded so far: everything before `after`, and of its page everything up to `last`. */
interface Progress {
  after: string | undefined;
  last: string | undefined;
}

export const collect = (value: string, previous: string[] | undefined): string[] => [...(previous ?? []), value];

export function listenCommand(session: Session): Command {
  const command = new Command('listen')
    .summary('forward live events to a handler on this machine')
    .description(
      'Forwards each new event to a URL as the service would deliver it: the same body, headers and signatures. The ' +
        'handler verifies them with the secret of this profile (--print-secret), or with FINHOOK_WEBHOOK_SECRET. A ' +
        'failure is shown and not retried: finhook trigger and --after repeat an event.',
    )
    .option('--forward-to <url>', 'address of the handler, or a port of this machine')
    .option(
      '--payload <form>',
      'form of the events: full (the default), or thin as endpoints with payload thin get them',
    )
    .option('--events <type>', 'forward only events of this type (repeat it)', collect)
    .option('--company-id <id>', 'forward only events of this company')
    .option('--after <cursor>', 'begin after this cursor of the feed, instead of now')
    .option('--resume', 'begin where the last listen to the same address ended')
    .option('--print-secret', 'print the secret that events are signed with, and end');
  addServiceFlags(command);
  return command.action(() => listen(command.opts(), session));
}

function progressPath({ env }: Session, { url, key }: Connection, receiver: URL): string {
  const name = createHash('sha256').update(`${url} ${key} ${receiver.href}`).digest('hex').slice(0, 16);
  return join(env.configFolder, 'listen', `${name}.json`);
}

function asProgress(json: unknown): Progress {
  return json as Progress;
}

async function startOf(flags: ListenFlags, path: string, now: () => Promise<string | undefined>): Promise<Progress> {
  if (flags.after !== undefined) return { after: flags.after, last: undefined };
  const resumed = flags.resume ? readJsonFile(path, asProgress, ' and give --after') : undefined;
  return resumed ?? { after: await now(), last: undefined };
}

async function listen(flags: ListenFlags, session: Session): Promise<void> {
  const { output } = session;
  const { service, connection } = connect(session, flags);
  const secret = readWebhookSecret(connection);
  if (flags.printSecret) return output.print(secret);
  if (flags.forwardTo === undefined)
    throw usageFailure('Give the address of the handler: --forward-to http://127.0.0.1:4000/webhooks');
  const isThin = readPayload(flags.payload) === 'thin';
  const receiver = readReceiver(flags.forwardTo);
  const path = progressPath(session, connection, receiver);
  const start = await startOf(flags, path, () => endOfFeed(service));
  output.say(`Forwarding events of ${connection.url} to ${receiver.href}. Ctrl-C ends it.`);
  const [type] = flags.events?.length === 1 ? flags.events : [];
  const filters = { type, company_id: flags.companyId, after: start.after };
  const wanted = (event: { type: string }): boolean => flags.events?.includes(event.type) ?? true;
  let progress = start;
  try {
    for await (const page of followFeed(service, session, filters)) {
      for (const event of remaining(page, progress)) {
        session.signal.throwIfAborted();
        // Finishes an event in flight, so that its result is known.
        if (wanted(event)) report(await forward(isThin ? await toThin(event) : event, receiver, secret), flags, output);
        progress = { after: page.after, last: event.id };
      }
      progress = { after: page.cursor, last: undefined };
    }
  } finally {
    writeJsonFile(path, progress);
    output.say('The next listen begins here with --resume.');
  }
}

function remaining({ events, after }: FeedPage, progress: Progress): FeedPage['events'] {
  if (progress.last === undefined || progress.after !== after) return events;
  return events.slice(events.findIndex(({ id }) => id === progress.last) + 1);
}

export function report(result: Forwarded, { json }: ServiceFlags, { printJson, printPainted }: Output): void {
  if (json) return printJson(JSON.stringify(result));
  const { status, type, event_id, duration_ms, error, body, response_truncated } = result;
  const note = error ?? (response_truncated ? 'the rest of the response body was not read' : undefined);
  const outcome = `  ${type}  ${event_id}  ${duration_ms} ms${note === undefined ? '' : `  ${plain(note)}`}`;
  printPainted(isAccepted(result) ? 'green' : 'red', String(status ?? 'failed'), outcome);
  if (body !== '') printPainted('dim', `     ${body}`, '');
}
