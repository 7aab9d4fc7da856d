import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { cellNameRule, isCellName } from '../cell-name.ts';
import { plain } from '../clean-text.ts';
import { askHidden } from '../terminal.ts';
import { requestKey } from './device-login.ts';
import { Failure, usageFailure } from './failure.ts';
import { createService, type Me, readMe } from './http-api.ts';
import { chooseService, defaultUrl, readSettings, removeProfile, saveProfile, useProfile } from './profiles.ts';
import type { Session } from './session.ts';

interface LoginFlags {
  key?: string | true;
  url?: string;
  profile?: string;
  local?: string | true;
  cell?: string;
}

export function loginCommand(session: Session): Command {
  const command = new Command('login')
    .summary('get and store a key for the commands that follow')
    .description(
      'Prints a page and a code. Once you have allowed the login there, the service creates a key, which is stored with its address in a file that only you can read. With --key or --local an existing key is checked and stored.',
    )
    .option(
      '--key [key]',
      'an existing API key (sk_…): - reads it from stdin, and without a value you are asked for it',
    )
    .option('--url <url>', `address of the service (default: FINHOOK_URL or ${defaultUrl})`)
    .option('--cell <name>', 'the cell of your account, where the service has several and you give no key')
    .option('--profile <name>', 'name of a login beside the current one, which stays the current one')
    .option('--local [folder]', 'use the service that start runs, on FINHOOK_DATA_DIR, .finhook or this folder');
  return command.action(() => login(command.opts(), session));
}

const visibleKey =
  'Warning: other users of this machine can see the key after --key while the command runs, and it stays in the history of ' +
  'your shell. Use --key alone to be asked for it, --key - to give it on stdin, or the variable FINHOOK_API_KEY.';

async function login(flags: LoginFlags, session: Session): Promise<void> {
  const { env, output, signal } = session;
  const found = flags.local === undefined ? {} : readLocal(flags.local === true ? env.dataFolder : flags.local);
  const url = readUrl(flags.url ?? found.api_url ?? env.url ?? defaultUrl);
  if (typeof flags.key === 'string' && flags.key !== '-') output.say(visibleKey);
  if (flags.cell !== undefined && !isCellName(flags.cell)) throw usageFailure(`--cell must be ${cellNameRule}.`);
  const key = (await readKey(flags.key ?? found.api_key, { url, cell: flags.cell }, flags.profile, session)).trim();
  if (!/^sk_(live|test)_\w+$/.test(key))
    throw usageFailure('This is not an API key: keys begin with sk_live_ or sk_test_.');
  const me = await readMe(createService({ url, key }, signal));
  const { path, name, current } = saveProfile(env, flags.profile, { url, key });
  output.say(
    me ? welcomeOf(me, url) : `Logged in at ${url} with a key of scope ingest, which may only post financial data.`,
  );
  output.say(`Stored as profile ${name} in ${path}.`);
  if (current !== name)
    output.say(
      `Commands use the profile ${current}, as before. For this one add --profile ${name}, or make it the current one: finhook profiles use ${name}`,
    );
}

function welcomeOf({ account, api_key: { name, scope, expires_at } }: Me, url: string): string {
  const expiry = expires_at === null ? '' : `, until ${expires_at}`;
  return plain(
    `Logged in to ${account.name} (${account.mode}) at ${url} with the key ${name} of scope ${scope}${expiry}.`,
  );
}

function readUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) throw usageFailure(`--url ${text} is not an http or https address.`);
  return url.href.replace(/\/+$/, '');
}

/** Reads `local.json`, which `start` writes to its data folder in the checkout. */
function readLocal(folder: string): { api_url?: string; api_key?: string } {
  const path = [join(folder, 'local.json'), join(folder, '.finhook', 'local.json')].find(existsSync);
  if (path === undefined)
    throw new Failure(
      `No service runs on ${folder}. Give the folder of its data, --local …/.finhook, or start it: npx -y pnpm@12.21.0 start`,
    );
  return asLocal(JSON.parse(readFileSync(path, 'utf8')));
}

function asLocal(json: unknown): { api_url?: string; api_key?: string } {
  return json as { api_url?: string; api_key?: string };
}

async function readKey(
  given: string | true | undefined,
  address: { url: string; cell?: string | undefined },
  profile: string | undefined,
  session: Session,
): Promise<string> {
  if (given === '-') return session.input.readAll().toString();
  const known = given ?? session.env.apiKey;
  if (known === undefined) {
    const key = await requestKey(address, session);
    // The only copy: store it before anything can fail.
    saveProfile(session.env, profile, { url: address.url, key });
    return key;
  }
  return known === true ? await askForKey(session) : known;
}

async function askForKey({ input, signal }: Session): Promise<string> {
  if (!input.isTerminal) throw usageFailure('Give the key in FINHOOK_API_KEY, or on stdin: --key -.');
  return await askHidden('API key (not shown):', signal);
}

export function logoutCommand({ env, output, signal }: Session): Command {
  const command = new Command('logout')
    .summary('forget a key')
    .description('Removes a stored login. The key itself stays valid, unless --revoke ends it.')
    .option('--profile <name>', 'name of the login (default: the current one)')
    .option('--revoke', 'revoke the key first; it needs the permission keys:write');
  command.action(async () => {
    const { profile, revoke } = command.opts<{ profile?: string; revoke?: true }>();
    const name = profile ?? readSettings(env).current;
    if (revoke) {
      const service = createService(chooseService(env, name), signal);
      const { id } = (await service.call<Me>('me.get')).body.api_key;
      await service.call('apiKeys.revoke', { key_id: id });
      output.say(`The key of profile ${name} is revoked.`);
    }
    if (!removeProfile(env, name)) throw usageFailure(`There is no profile ${name}.`);
    output.say(`Profile ${name} is removed.`);
  });
  return command;
}

export function profilesCommand({ env, output }: Session): Command {
  const command = new Command('profiles')
    .summary('the stored logins')
    .description('Lists the stored logins. Commands use the current one, unless --profile names another.')
    .action(() => {
      const { current, profiles } = readSettings(env);
      const data = Object.entries(profiles).map(([name, { url }]) => ({ name, url, current: name === current }));
      if (data.length === 0) output.say('There is none. Make one: finhook login');
      output.show({ data });
    });
  command
    .command('use')
    .description('Makes a stored login the current one.')
    .argument('<name>', 'name of the login')
    .action((name: string) => {
      useProfile(env, name);
      output.say(`Commands use the profile ${name} now.`);
    });
  return command;
}
