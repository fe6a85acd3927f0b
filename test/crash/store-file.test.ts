import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { openFileStorage } from '../../src/storage/file-storage.ts';
import { childEnvironment } from '../child-environment.ts';
import type { StoreWish } from './store-file-process.ts';

const DAY_MS = 86_400_000;
const KEY = 'tasks/01kafx2/img_fox-1-0.png';
const TEXT = 'the quick brown fox';

test('a process that is killed while it stores a file leaves it whole or not at all, wherever it dies', async (t) => {
  let kills = 0;
  const states = new Set<string>();
  for (let killed = true; killed; kills += killed ? 1 : 0) {
    const directory = await mkdtemp(join(tmpdir(), 'store-file-'));
    t.after(() => rm(directory, { recursive: true }));
    killed = (await storeIn({ directory, key: KEY, text: TEXT, survives: kills })) === 'SIGKILL';
    const storage = await openFileStorage(directory, { now: () => Date.now() + DAY_MS });
    const found = await storage.stat(KEY);
    states.add(found === null ? 'nothing' : 'whole');
    if (found !== null || !killed) assert.equal(await text(await storage.open(KEY)), TEXT);
    assert.deepEqual(await readdir(join(directory, '.tmp')), [], 'the next start removes what was half written');
    await storage.put(KEY, Buffer.from(TEXT), { contentType: 'text/plain', maxBytes: TEXT.length });
    assert.equal(await text(await storage.open(KEY)), TEXT);
  }
  assert.deepEqual(states, new Set(['nothing', 'whole']));
  assert.ok(kills >= 14, `only ${kills} kills`);
});

/** @returns the signal that ended the process; null = it came to its end */
async function storeIn(wish: StoreWish): Promise<NodeJS.Signals | null> {
  const program = join(import.meta.dirname, 'store-file-process.ts');
  const child = fork(program, [JSON.stringify(wish)], { env: childEnvironment() as NodeJS.ProcessEnv });
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  assert.ok(code === 0 || signal === 'SIGKILL', `the process ended with ${code}, ${signal}`);
  return signal;
}
