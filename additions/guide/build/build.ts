import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADDITIONS } from '../../../src/additions/list.ts';
import { createDarkroom } from '../../../src/create-darkroom.ts';
import { BUILT_DIRECTORY } from '../src/built-guide.ts';
import { pagesWith } from '../src/guide-list.ts';

/**
 * Builds the guide into `additions/guide/dist`. The endpoints are those of a service on data of its own. Without
 * development dependencies an installation has nothing to build with, and is told so.
 */
const builder = await import('./build-guide.ts').catch((error: NodeJS.ErrnoException) => {
  if (error.code === 'ERR_MODULE_NOT_FOUND') return null;
  throw error;
});
if (builder === null) {
  process.stdout.write('The guide is not built: that takes the development dependencies (npm ci).\n');
} else {
  const pages = pagesWith(ADDITIONS.flatMap((addition) => addition.pages ?? []));
  await builder.buildGuide(BUILT_DIRECTORY, { pages, document: await readDocument() });
}

async function readDocument(): Promise<object> {
  const data = await mkdtemp(join(tmpdir(), 'darkroom-guide-'));
  const url = 'http://127.0.0.1:8080';
  try {
    const service = await createDarkroom({
      DARKROOM_DATA_DIR: data,
      DARKROOM_PUBLIC_URL: url,
      DARKROOM_METRICS_PORT: '0',
      DARKROOM_LOG_LEVEL: 'fatal',
    });
    const response = await service.fetch(new Request(`${url}/openapi.json`));
    const document = (await response.json()) as object;
    await service.close();
    return document;
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}
