import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/**
 * Builds the console into `console/dist`, each file also compressed, as the service sends it; and the script of the
 * reference. An installation without development dependencies has nothing to build with, and is told so.
 */
const vite = await import('vite').catch(() => null);
if (vite === null) {
  process.stdout.write('The console is not built: that takes the development dependencies (npm ci).\n');
} else {
  await vite.build({ configFile: join(import.meta.dirname, 'vite.config.ts'), logLevel: 'warn' });
  await compressAll(join(import.meta.dirname, 'dist'));
  const { buildReference } = await import('./build-reference.ts');
  await buildReference(join(import.meta.dirname, 'dist', 'reference', 'scalar.js.br'));
}

async function compressAll(directory: string): Promise<void> {
  const paths = globSync('{*,assets/**/*}.{js,css,svg}', { cwd: directory }).map((path) => join(directory, path));
  await Promise.all(
    paths.map(async (path) => {
      const content = await readFile(path);
      const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
      await writeFile(`${path}.br`, await promisify(brotliCompress)(content, quality));
      await writeFile(`${path}.gz`, await promisify(gzip)(content));
    }),
  );
}
