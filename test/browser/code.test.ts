import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { wholeFile } from '../helpers/whole-file.ts';
import { openInKeptPage } from './kept-page.ts';
import { startSwiftService } from './swift-service.ts';

const run = promisify(execFile);
const service = await startSwiftService(wholeFile);
/** Quotes of every kind, which each language escapes in its own way. */
const PROMPT = 'a fox\'s "den", 50% \\ `snow` $HOME';

async function codeIn(page: Page, language: string): Promise<string> {
  await page.getByLabel('Prompt', { exact: true }).fill(PROMPT);
  await page.getByRole('button', { name: 'For developers' }).click();
  await page.locator('label', { hasText: language }).click();
  const code = page.locator('pre');
  await code
    .getByText(language === 'Python' ? 'import os' : language === 'curl' ? 'curl http' : 'await fetch')
    .waitFor();
  return (await code.textContent()) ?? '';
}

test('the TypeScript of the form runs as it stands, and makes the picture', async (t) => {
  const page = await openInKeptPage(t, service, { keys: service.keys });
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-code-'));
  t.after(() => rm(directory, { recursive: true }));
  const file = join(directory, 'order.mts');
  await writeFile(file, await codeIn(page, 'TypeScript'));
  const env = { PATH: process.env.PATH, DARKROOM_API_KEY: service.keys.test };
  const { stdout } = await run(process.execPath, [file], { env });
  assert.match(stdout, /^succeeded http:\/\/127\.0\.0\.1:\d+\/files\//);
  const { data } = await service.call(service.keys.test, 'GET', '/v1/images?limit=1');
  assert.equal(data.items[0].input.prompt, PROMPT);
});

test('the curl of the form says the same to any shell', { skip: process.platform === 'win32' }, async (t) => {
  const page = await openInKeptPage(t, service, { keys: service.keys });
  const code = await codeIn(page, 'curl');
  const script = `curl() { for word; do printf '%s\\0' "$word"; done; }\nuuidgen() { echo 1; }\n${code}`;
  const { stdout } = await run('sh', ['-c', script], { env: { PATH: process.env.PATH, DARKROOM_API_KEY: 'k' } });
  const words = stdout.split('\0');
  assert.equal(words[0], `${service.url}/v1/images`);
  assert.ok(words.includes('Authorization: Bearer k'));
  assert.deepEqual(JSON.parse(words[words.indexOf('-d') + 1] ?? ''), { model_id: 'sketch', prompt: PROMPT });
});

test('the Python of the form is well formed where there is a Python', async (t) => {
  const page = await openInKeptPage(t, service, { keys: service.keys });
  const code = await codeIn(page, 'Python');
  assert.match(code, /json=\{\n\s+"model_id": "sketch",/);
  const check = run('python3', ['-c', 'import ast, sys; ast.parse(sys.argv[1])', code]);
  await check.catch((error: NodeJS.ErrnoException) => assert.equal(error.code, 'ENOENT', String(error)));
});
