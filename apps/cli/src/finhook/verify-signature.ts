import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { reasonOf } from '../reason-of.ts';
import { Failure, usageFailure } from './failure.ts';
import { collect } from './listen.ts';
import { chooseService } from './profiles.ts';
import type { Session } from './session.ts';

interface VerifyFlags {
  body: string;
  header: string[];
  secretFile?: string;
  profile?: string;
}

export function verifySignatureCommand(session: Session): Command {
  const command = new Command('verify-signature')
    .summary('check a received signature, offline')
    .description(
      'Checks the signatures of a received request with the secret in FINHOOK_WEBHOOK_SECRET, in --secret-file, or of the ' +
        'profile, and says what is wrong. To check with the secret that the service keeps: finhook webhook-endpoints verify-signature.',
    )
    .requiredOption('--body <file>', 'the raw body as received, from a file or from - for stdin')
    .requiredOption('--header <name: value>', 'a header as received (repeat it)', collect)
    .option('--secret-file <file>', 'file with the secret (whsec_…) of the endpoint')
    .option('--profile <name>', 'use the secret of this login');
  return command.action(() => verify(command.opts(), session));
}

function readSecret({ secretFile, profile }: VerifyFlags, session: Session): string {
  const { env } = session;
  if (secretFile !== undefined) return readInputFile(secretFile, session).toString('utf8').trim();
  const secret = env.webhookSecret ?? chooseService(env, profile).webhookSecret;
  if (secret === undefined) throw usageFailure('Give the secret in FINHOOK_WEBHOOK_SECRET or with --secret-file.');
  return secret;
}

function readInputFile(file: string, { input }: Session): Buffer {
  try {
    return file === '-' ? input.readAll() : readFileSync(file);
  } catch (error) {
    throw usageFailure(`${file} can't be read: ${reasonOf(error)}`);
  }
}

function readHeaders(lines: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    lines.map((line) => {
      const at = line.indexOf(':');
      if (at < 1) throw usageFailure(`--header "${line}" is not "name: value".`);
      return [line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()];
    }),
  );
}

async function verify(flags: VerifyFlags, session: Session): Promise<void> {
  const [
    { diagnoseServiceSignature, diagnoseStandardWebhook, verifyServiceSignature, verifyStandardWebhook },
    { verificationHints },
  ] = await Promise.all([import('@finhook/signing'), import('@finhook/contracts')]);
  const given = readHeaders(flags.header);
  const headers = {
    id: given.get('webhook-id'),
    timestamp: given.get('webhook-timestamp'),
    signature: given.get('webhook-signature'),
    service: given.get('x-service-signature'),
  };
  const input = { headers, body: readInputFile(flags.body, session), secret: readSecret(flags, session) };
  const window = { body: input.body, secrets: [input.secret], now: Date.now() / 1_000 };
  const checks = [
    [
      'x-service-signature',
      headers.service,
      diagnoseServiceSignature,
      () => verifyServiceSignature({ header: headers.service, ...window }),
    ],
    [
      'webhook-signature',
      headers.signature,
      diagnoseStandardWebhook,
      () => verifyStandardWebhook({ headers, ...window }),
    ],
  ] as const;
  const present = checks.filter(([, value]) => value !== undefined);
  if (present.length === 0)
    throw usageFailure('Give the header x-service-signature, or webhook-id, webhook-timestamp and webhook-signature.');
  const faults: string[] = [];
  for (const [name, , diagnose, check] of present) {
    const diagnosis = await diagnose(input);
    // The diagnosis ignores the time.
    const result = diagnosis.ok ? await check() : diagnosis;
    session.output.print(`${name}  ${result.ok ? 'valid' : result.reason}`);
    if (!result.ok) faults.push(`${name}: ${verificationHints[result.reason]}`);
  }
  if (faults.length > 0) throw new Failure(`The signature is not valid.\n  ${faults.join('\n  ')}`);
}
