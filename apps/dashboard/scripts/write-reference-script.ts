import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes the script that draws the API reference into a folder, as Scalar's plugin for Fastify serves it: that package has it
 * in one file, and the one it is made in comes with 270 MB of others.
 */
export async function writeReferenceScript(folder: string): Promise<void> {
  const [{ fastify }, { default: scalar }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference'),
  ]);
  const app = fastify();
  await app.register(scalar, { routePrefix: '/', configuration: { url: '/openapi.json' } });
  const { statusCode, body } = await app.inject('/js/scalar.js');
  if (statusCode !== 200) throw new Error(`Scalar's plugin answered ${statusCode} for its script.`);
  writeFileSync(join(folder, 'scalar.js'), body);
  await app.close();
}
