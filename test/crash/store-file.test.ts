import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { openFileStorage } from '@darkroom-service/files';
import { pino } from 'pino';
import { DiskSpool } from '../../src/worker/spool/answer-spool.ts';
import { UnsavedAnswers } from '../../src/worker/spool/unsaved-answers.ts';
import { childEnvironment } from '../helpers/child-environment.ts';
import { drawKills } from './drawn-kills.ts';
import type { SpoolWish } from './spool-file-process.ts';
import type { StoreWish } from './store-file-process.ts';

const DAY_MS = 86_400_000;
const KEY = 'tasks/01kafx2/img_fox-1-0.png';
const TEXT = 'the quick brown fox';
/** More than a process needs to spool an answer, so that it comes to its end at last. */
const SPOOL_MOMENTS = Array.from({ length: 80 }, (_, survives) => survives);

test('a process that is killed while it stores a file leaves it whole or not at all, wherever it dies', async (t) => {
  let kills = 0;
  const states = new Set<string>();
  for (let killed = true; killed; kills += killed ? 1 : 0) {
    const directory = await mkdtemp(join(tmpdir(), 'store-file-'));
    t.after(() => rm(directory, { recursive: true }));
    killed = (await runIn('store-file-process.ts', { directory, key: KEY, text: TEXT, survives: kills })) === 'SIGKILL';
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

for (const when of ['stored', 'storing', 'remote'] as const)
  test(`a process that is killed while it spools a picture that is ${when} leaves all of the answer or nothing`, async (t) => {
    for (const survives of drawKills(t, SPOOL_MOMENTS)) {
      const root = await mkdtemp(join(tmpdir(), 'spool-file-'));
      t.after(() => rm(root, { recursive: true }));
      const [directory, spool] = [join(root, 'files'), join(root, 'spool')];
      const signal = await runIn('spool-file-process.ts', { directory, spool, key: KEY, text: TEXT, when, survives });
      if (signal === null && when !== 'remote')
        assert.equal((await stat(join(directory, KEY))).nlink, 2, 'its bytes are on the disk once');
      const storage = await openFileStorage(directory);
      await storage.remove(KEY);
      const answers = new UnsavedAnswers({
        spool: new DiskSpool(spool, 'second'),
        ended: { take: () => ({ release: () => {} }) },
        now: () => 0,
        log: pino({ level: 'silent' }),
      });
      await answers.takeOverEnded();
      const found = answers.of('img_fox');
      assert.ok(found !== null || signal === 'SIGKILL', 'what was spooled is found');
      if (found !== null) {
        assert.ok(found.kind === 'delivery');
        const [{ source } = assert.fail()] = found.delivery.outputs;
        assert.ok('path' in source);
        assert.equal(await readFile(source.path, 'utf8'), TEXT, 'it outlives the stored file');
      }
      await answers.release('img_fox');
      assert.deepEqual(await readdir(spool).catch(() => []), [], 'nothing is left in the spool');
    }
  });

/** @returns the signal that ended the process; null = it came to its end */
async function runIn(name: string, wish: StoreWish | SpoolWish): Promise<NodeJS.Signals | null> {
  const program = join(import.meta.dirname, name);
  const child = fork(program, [JSON.stringify(wish)], { env: childEnvironment() as NodeJS.ProcessEnv });
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  assert.ok(code === 0 || signal === 'SIGKILL', `the process ended with ${code}, ${signal}`);
  return signal;
}
