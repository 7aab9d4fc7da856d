import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes the script of the page where requests are tried, as Scalar's Fastify plugin serves it: one file, instead of
 * 270 MB in the package that it is built in.
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
