import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { acquireEndedLock, acquireProcessLock, lockState, processLockPath, removeEndedLocks } from './process-lock.ts';

test('a lock stays held while its process is paused, and is free once it was killed', {
  skip: process.platform === 'win32',
}, async (t) => {
  const directory = await openDirectory(t);
  const path = processLockPath(directory, 'host-1-a');
  const holder = await startHolder(t, directory, 'host-1-a');
  assert.equal(lockState(path), 'held');
  assert.equal(acquireEndedLock(path), null);
  holder.kill('SIGSTOP');
  assert.equal(lockState(path), 'held');
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  assert.equal(lockState(path), 'free');
  assert.ok(existsSync(path), 'looking removes nothing');
});

test('the lock of an ended process is taken by one at a time, and its file goes with it', async (t) => {
  const directory = await openDirectory(t);
  const path = processLockPath(directory, 'host-2-b');
  const holder = await startHolder(t, directory, 'host-2-b');
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  acquireEndedLock(path)?.release({ keepsFile: true });
  const taken = acquireEndedLock(path);
  assert.equal(taken?.path, path);
  assert.equal(acquireEndedLock(path), null);
  assert.equal(lockState(path), 'held', 'also within one process');
  taken?.release();
  taken?.release();
  assert.deepEqual(readdirSync(directory), []);
  assert.equal(lockState(path), 'unknown', 'an absent lock proves nothing');
  assert.equal(acquireEndedLock(path), null);
  assert.deepEqual(readdirSync(directory), [], 'looking makes no file');
});

test('a process that ends by itself frees its lock and leaves no file', async (t) => {
  const directory = join(await openDirectory(t), 'made', 'when needed');
  const lock = acquireProcessLock(directory, 'host-3-c');
  assert.equal(lockState(lock.path), 'held');
  lock.release();
  assert.deepEqual(readdirSync(directory), []);
});

test('old locks of ended processes are removed, those of living ones never', async (t) => {
  const directory = await openDirectory(t);
  const killed = await startHolder(t, directory, 'host-4-d');
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  const own = acquireProcessLock(directory, 'host-5-e');
  t.after(() => own.release());
  removeEndedLocks(directory, 0);
  assert.equal(readdirSync(directory).length, 2, 'what is young may still be wanted as a proof');
  removeEndedLocks(directory, Date.now() + 60_000);
  assert.deepEqual(readdirSync(directory), ['host-5-e.lock']);
});

async function openDirectory(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-lock-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

async function startHolder(t: TestContext, directory: string, processId: string): Promise<ChildProcess> {
  const program = `import { acquireProcessLock } from ${JSON.stringify(join(import.meta.dirname, 'process-lock.ts'))};
    acquireProcessLock(${JSON.stringify(directory)}, ${JSON.stringify(processId)});
    globalThis.gc?.();
    process.send('held');
    setInterval(() => {}, 1000);`;
  const holder = spawn(process.execPath, ['--expose-gc', '--input-type=module', '--eval', program], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  t.after(() => holder.kill('SIGKILL'));
  const [message] = await once(holder, 'message');
  assert.equal(message, 'held');
  return holder;
}
