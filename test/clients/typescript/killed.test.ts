import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { Darkroom } from '@darkroom/client';
import { startTestService } from '../../service.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PROGRAM = `
import { Darkroom } from '@darkroom/client';
const order = { model_id: 'sketch', prompt: 'a red fox', resolution: '0.5K', simulate: { seconds: 2 } };
const onUpdate = (task) => console.log(task.task_id);
const fox = await new Darkroom().images.generate(order, { idempotencyKey: 'order-1', onUpdate });
console.log('done', fox.taskId);
`;

test('a program that is killed while it waits finds its task by the same key when it starts again', async (t) => {
  const service = await startTestService(t);
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-killed-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'order.mjs'), PROGRAM);
  const env = { PATH: process.env.PATH, DARKROOM_URL: service.url, DARKROOM_API_KEY: service.keys.test };
  const start = () => {
    const child = spawn(process.execPath, ['order.mjs'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
    return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
  };

  const first = start();
  const { value: taskId } = await first.lines.next();
  first.child.kill('SIGKILL');
  assert.deepEqual(await once(first.child, 'exit'), [null, 'SIGKILL']);

  const second = start();
  let last = '';
  for (let line = await second.lines.next(); line.done !== true; line = await second.lines.next()) last = line.value;
  assert.equal(last, `done ${taskId}`);
  const client = new Darkroom({ baseUrl: service.url, apiKey: service.keys.test });
  assert.equal((await client.images.list().page()).items.length, 1);
  const { items } = await client.account.ledger().page();
  assert.equal(items.filter(({ kind }) => kind === 'charge').length, 1);
});
