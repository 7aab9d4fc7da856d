// Risk: the URL of a private target is stored when an endpoint is created or changed.
import { hostileUrls } from '@finhook/testing';
import { expect, test } from 'vitest';
import { useFixture } from '../../../test/core-fixture.ts';
import { openCore } from '../../open-core.ts';
import type { Context } from '../../verbs/context.ts';
import { createEndpoint } from './create.ts';
import { getEndpoint, listEndpoints } from './read.ts';
import { updateEndpoint } from './update.ts';

const fixture = useFixture();

/** Runs `work` without insecure targets, and with only the listed private ones. */
async function asInstallation(allowedCidrs: readonly string[], work: (context: Context) => Promise<void>) {
  const strict = await openCore({
    databaseUrl: fixture.database.url,
    secretsKey: Buffer.alloc(32, 7).toString('base64'),
    allowInsecureWebhooks: false,
    allowedCidrs,
    poolSize: 2,
  });
  try {
    const { accountId } = fixture.context;
    await work({ ...fixture.context, ...strict, database: strict.database.forAccount(accountId) });
  } finally {
    await strict.database.close();
  }
}

test('no hostile URL is stored, by create or by patch, and each rejection says why', async () => {
  await asInstallation([], async (context) => {
    const saved = await createEndpoint(context, { url: 'https://8.8.8.8/hook' });
    for (const [url, code] of hostileUrls) {
      const fields = [{ pointer: '/url', code, message: expect.stringMatching(/^must /) }];
      const rejection = { code: 'validation_failed', fields };
      await expect(createEndpoint(context, { url }), url).rejects.toMatchObject(rejection);
      await expect(updateEndpoint(context, { endpoint_id: saved.id, url }), url).rejects.toMatchObject(rejection);
    }
    expect(await getEndpoint(context, { endpoint_id: saved.id })).toMatchObject({ url: 'https://8.8.8.8/hook' });
    expect((await listEndpoints(context, { limit: 50, order: 'asc' })).data).toHaveLength(1);
  });
});

test('an address of a range that the installation lists is stored, its neighbour is not', async () => {
  await asInstallation(['10.77.0.0/16'], async (context) => {
    const endpoint = await createEndpoint(context, { url: 'https://10.77.1.2:8443/hook' });
    const change = (url: string) => updateEndpoint(context, { endpoint_id: endpoint.id, url });
    expect((await change('https://10.77.1.3/hook')).url).toBe('https://10.77.1.3/hook');
    await expect(change('https://10.78.0.1/hook')).rejects.toMatchObject({ code: 'validation_failed' });
  });
});
