import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import reference from '@scalar/fastify-api-reference';
import fastify from 'fastify';

/**
 * Writes the script that draws the reference at `/docs/reference/`. Its package holds it inside a plugin, which is
 * asked for it here. It is stored compressed only: of its 4 MB, an installation keeps one.
 */
export async function buildReference(path: string): Promise<void> {
  const app = fastify();
  await app.register(reference, { routePrefix: '/reference', configuration: { url: '/openapi.json' } });
  const { statusCode, rawPayload } = await app.inject('/reference/js/scalar.js');
  await app.close();
  if (statusCode !== 200) throw new Error(`@scalar/fastify-api-reference answered ${statusCode} for its script`);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, await promisify(brotliCompress)(rawPayload));
}
