import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createDarkroom } from '@darkroom-service/darkroom';

const ORIGIN = 'http://localhost';

/** The parts of answers that these tests read. */
interface Answer {
  readonly data: {
    readonly status: string;
    readonly error: { readonly message: string } | null;
    readonly items: readonly { readonly brand: string; readonly status: string; readonly orders: number }[];
  };
}

/** Starts a service with this folder's addition and an empty database. */
async function openService(t: TestContext) {
  const directory = await mkdtemp(join(tmpdir(), 'brands-'));
  const darkroom = await createDarkroom({
    DARKROOM_ADDITIONS_DIR: import.meta.dirname,
    DARKROOM_DATA_DIR: directory,
    DARKROOM_LOG_LEVEL: 'fatal',
    DARKROOM_PUBLIC_URL: ORIGIN,
  });
  t.after(async () => {
    await darkroom.close();
    await rm(directory, { recursive: true });
  });
  const keys = await readFile(join(directory, 'first-keys.txt'), 'utf8');
  const authorization = `Bearer ${/DARKROOM_TEST_KEY=(\S+)/.exec(keys)?.[1]}`;
  return async (method: string, path: string, body?: object): Promise<Answer['data']> => {
    const headers = { authorization, 'content-type': 'application/json', prefer: 'wait=60' };
    const request = new Request(`${ORIGIN}${path}`, { method, headers, body: JSON.stringify(body) ?? null });
    return ((await (await darkroom.fetch(request)).json()) as Answer).data;
  };
}

test('an order that shows another brand than its own fails, and both are counted', async (t) => {
  const call = await openService(t);
  const order = (prompt: string) => call('POST', '/v1/images', { model_id: 'sketch', brand: 'acme', prompt });
  assert.equal((await order('a fox')).status, 'succeeded');
  assert.equal((await order('a fox with a globex cap')).error?.message, 'A picture for acme must not show globex.');
  assert.deepEqual((await call('GET', '/v1/brands')).items, [
    { brand: 'acme', status: 'failed', orders: 1 },
    { brand: 'acme', status: 'succeeded', orders: 1 },
  ]);
});
