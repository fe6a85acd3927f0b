import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startTestService } from '../../helpers/service.ts';
import { wholeFile } from '../../helpers/whole-file.ts';

/** The examples of the pages about the clients, run as they are printed there. */

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../../..');
const PAGES = {
  'docs/client-typescript.md': 10,
  'clients/typescript/README.md': 1,
  'clients/ai-sdk/README.md': 2,
  'docs/openai.md': 1,
} as const;

const service = await startTestService(wholeFile);
const folder = await mkdtemp(join(tmpdir(), 'darkroom-samples-'));
wholeFile.after(() => rm(folder, { recursive: true, force: true }));
await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
// As `npm init -y` writes it.
await writeFile(join(folder, 'package.json'), '{ "type": "commonjs" }');

for (const [page, count] of Object.entries(PAGES))
  test(`every example of ${page} runs as printed`, async () => {
    const text = await readFile(join(ROOT, page), 'utf8');
    const samples = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);
    assert.ok(samples.length >= count, `${samples.length} examples`);
    for (const [index, code] of samples.entries()) {
      const file = join(folder, `sample-${index}.mjs`);
      await writeFile(file, code.replaceAll('http://127.0.0.1:8080', service.url));
      const env = { PATH: process.env.PATH, DARKROOM_URL: service.url, DARKROOM_API_KEY: service.keys.test };
      const { stdout } = await run(process.execPath, [file], { cwd: folder, env }).catch((error: unknown) =>
        assert.fail(`${page}\n${code}\n${error}`),
      );
      assert.ok(stdout !== '' || code.includes('createServer'), code);
      if (page === 'docs/openai.md') assert.equal(stdout, '3 different images\n');
    }
  });
