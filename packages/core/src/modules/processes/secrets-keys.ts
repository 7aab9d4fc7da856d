import { createSecrets } from '../../access/secrets.ts';
import type { Core } from '../../verbs/context.ts';

/** The SECRETS_KEY of a process decrypts nothing in the database. */
class SecretsKeyError extends Error {
  override readonly name = 'SecretsKeyError';
}

/** Records the keys of a starting process. Throws `SecretsKeyError` if the database knows none of them. */
export async function admitSecretsKeys(core: Pick<Core, 'database' | 'secrets'>): Promise<void> {
  const admitted = await core.database.query(
    `INSERT INTO secrets_key (id, seen_at) SELECT unnest($1::text[]), now()
     WHERE NOT EXISTS (SELECT FROM secrets_key) OR EXISTS (SELECT FROM secrets_key WHERE id = ANY ($1::text[]))
     ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at RETURNING id`,
    [core.secrets.keyIds],
  );
  if (admitted.length === 0) throw unknownKeys(await readKnown(core), core.secrets.keyIds);
}

export async function recordSecretsKeys(core: Pick<Core, 'database' | 'secrets'>): Promise<void> {
  await core.database.query(
    `INSERT INTO secrets_key (id, seen_at) SELECT unnest($1::text[]), now()
     ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`,
    [core.secrets.keyIds],
  );
}

/** Deletes keys that no process has used for a day: they are rotated out. */
export async function retireSecretsKeys(core: Pick<Core, 'database' | 'secrets'>): Promise<void> {
  await recordSecretsKeys(core);
  await core.database.query(
    `DELETE FROM secrets_key WHERE seen_at < now() - interval '1 day'
       AND NOT EXISTS (SELECT FROM service_process WHERE secrets_key.id = ANY (secrets_keys))`,
  );
}

export interface SecretsKeyReport {
  known: string[];
  /** Running processes that have none of them, such as `api on host-1 (pid 7)`. */
  foreign: string[];
  isKnown: boolean;
}

export async function readSecretsKeys(
  core: Pick<Core, 'database'>,
  secretsKey: string | undefined,
): Promise<SecretsKeyReport> {
  const known = await readKnown(core);
  const opens = (ids: readonly string[]): boolean => known.length === 0 || ids.some((id) => known.includes(id));
  const live = await core.database.query<{ role: string; host: string; pid: number; secrets_keys: string[] }>(
    `SELECT role, host, pid, secrets_keys FROM service_process
     WHERE seen_at > now() - interval '20 seconds' AND secrets_keys <> '{}' ORDER BY id`,
  );
  const foreign = live.filter(({ secrets_keys }) => !opens(secrets_keys));
  return {
    known,
    foreign: foreign.map(({ role, host, pid }) => `${role} on ${host} (pid ${pid})`),
    isKnown: secretsKey === undefined || opens(createSecrets(secretsKey).keyIds),
  };
}

async function readKnown({ database }: Pick<Core, 'database'>): Promise<string[]> {
  const rows = await database.query<{ id: string }>('SELECT id FROM secrets_key ORDER BY seen_at DESC, id LIMIT 20');
  return rows.map(({ id }) => id);
}

function unknownKeys(known: readonly string[], own: readonly string[]): SecretsKeyError {
  return new SecretsKeyError(
    'The data of this database was written under another SECRETS_KEY than this one: every API key would be rejected as ' +
      `invalid, and no secret could be decrypted. The database knows ${known.join(', ')}; this process has ` +
      `${own.join(', ')} (the first 8 digits of the SHA-256 of each key). Set SECRETS_KEY to the one that the other ` +
      'processes have; to rotate, list the old one too: SECRETS_KEY=new,old. If the old one is lost, see "Secrets" in ' +
      'docs/operations.md.',
  );
}
