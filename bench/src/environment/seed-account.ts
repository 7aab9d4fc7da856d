import type { Environment, EnvironmentDatabase } from './environment.ts';

export interface SeedEndpoint {
  readonly url: string;
  /** Index of the company whose events it receives; default: all companies. */
  readonly company?: number;
}

export interface SeededAccount {
  readonly accountId: string;
  readonly apiKey: string;
  readonly companyIds: readonly string[];
  /** In the order of the requested endpoints. */
  readonly endpointIds: readonly string[];
}

export interface AccountToSeed {
  readonly companies: number;
  readonly endpoints: readonly SeedEndpoint[];
}

// Copies the first company, which the service created.
const copyCompany = `
INSERT INTO company
SELECT (jsonb_populate_record(c, jsonb_build_object('id', new.id))).* FROM company c, unnest($2::text[]) AS new (id)
WHERE c.id = $1`;

const insertEndpoints = `
INSERT INTO webhook_endpoint (id, account_id, url, events, company_id, secret, status, created_at, updated_at)
SELECT id, $1, url, '{}', company_id, secret, 'active', now(), now()
FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) AS e (id, url, company_id, secret)`;

/** Creates accounts with a key, companies and at most 50 endpoints each. */
export async function seedAccounts(
  environment: Environment,
  database: EnvironmentDatabase,
  accounts: readonly AccountToSeed[],
): Promise<SeededAccount[]> {
  const { secretsKey, checkout } = environment;
  const { createIdSource, openAccount, openCore, systemClock } = checkout.core;
  const core = await openCore({ databaseUrl: database.url, secretsKey, allowInsecureWebhooks: true });
  const newId = createIdSource(systemClock);
  const seeded: SeededAccount[] = [];
  for (const { companies, endpoints } of accounts) {
    const opened = await openAccount(core, { name: 'Bench', mode: 'test', companyName: 'Bench Inc' });
    const others = Array.from({ length: companies - 1 }, () => newId('co'));
    await database.query(copyCompany, [opened.companyId, others]);
    const companyIds = [opened.companyId, ...others];
    const endpointIds = endpoints.map(() => newId('we'));
    await database.query(insertEndpoints, [
      opened.accountId,
      endpointIds,
      endpoints.map(({ url }) => url),
      endpoints.map(({ company }) => (company === undefined ? null : companyIds[company])),
      endpointIds.map((id) => core.secrets.encrypt(secretOf(id), `webhook_endpoint|${id}`)),
    ]);
    seeded.push({ accountId: opened.accountId, apiKey: opened.apiKey, companyIds, endpointIds });
  }
  await core.database.close();
  return seeded;
}

function secretOf(id: string): string {
  return `whsec_${Buffer.from(id.padEnd(32, '0').slice(-32)).toString('base64')}`;
}
