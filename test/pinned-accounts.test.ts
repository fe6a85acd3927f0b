import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openFakeXai } from '@darkroom-service/engines/fakes';
import { startTestService, type TestService } from './helpers/service.ts';

test('orders of pinned accounts go to the instance that the file names for them and nowhere else, whether their id was made or chosen', async (t) => {
  const [first, second] = await Promise.all([openFakeXai(), openFakeXai()]);
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-pinned-'));
  t.after(async () => {
    await Promise.all([first.stop(), second.stop()]);
    await rm(directory, { recursive: true, force: true });
  });
  // The same data at both starts: an account exists before the file can name it.
  const env = { DARKROOM_DATABASE_URL: '', DARKROOM_DATA_DIR: join(directory, 'data') };
  const before = await startTestService(t, { env });
  const made = await before.createAccount(null);
  const chosen = (await before.call(before.keys.admin, 'POST', '/admin/v1/accounts', { account_id: 'acme' })).data;
  await before.service.stop({ now: true });

  const file = join(directory, 'engines.json');
  const pinned = [made, chosen.account_id];
  const instances = [
    { name: 'xai-all', kind: 'xai', key: first.key, url: first.url },
    {
      name: 'xai-pool',
      kind: 'xai',
      key: second.key,
      url: second.url,
      excluded_accounts: ['*'],
      pinned_accounts: pinned,
    },
  ];
  await writeFile(file, JSON.stringify({ engines: instances }));
  const service = await startTestService(t, { env: { ...env, DARKROOM_ENGINES_FILE: file } });
  await service.call(service.keys.admin, 'PATCH', `/admin/v1/accounts/acme`, { credit_limit: null });
  const order = async (accountId: string) => await placeOrder(service, accountId);
  for (const account of pinned) for (let count = 0; count < 2; count++) await order(account);
  assert.deepEqual([first.jobs.size, second.jobs.size], [0, 4]);
  for (let count = 0; count < 2; count++) await order('default');
  assert.deepEqual([first.jobs.size, second.jobs.size], [2, 4]);
});

async function placeOrder({ issueKey, make }: TestService, accountId: string): Promise<void> {
  const { key } = await issueKey({ mode: 'live', accountId });
  const { status } = await make(key, '/v1/images', { model_id: 'grok-imagine-image', prompt: 'a fox' });
  assert.equal(status, 'succeeded');
}
