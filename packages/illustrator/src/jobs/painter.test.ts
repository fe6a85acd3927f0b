import assert from 'node:assert/strict';
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { OutputPlan } from '@darkroom-service/contract/catalog';
import { MachineFault } from '@darkroom-service/media/process';
import { createPainterPool } from './painter-pool.ts';

const folder = await mkdtemp(join(tmpdir(), 'painter-'));
after(() => rm(folder, { recursive: true }));

const STILL: OutputPlan = {
  format: 'png',
  width: 96,
  height: 64,
  durationSeconds: null,
  fps: null,
  audio: false,
  tiles: null,
};
const FILM: OutputPlan = {
  format: 'mp4',
  width: 96,
  height: 64,
  durationSeconds: 1,
  fps: 12,
  audio: false,
  tiles: null,
};

describe('a painter in trouble', () => {
  it('does not blame the job, so that it may be painted again', async (t) => {
    const job = {
      output: STILL,
      seed: 1,
      action: null,
      values: { prompt: 'a tree' },
      media: [],
      parent: null,
      testMark: false,
    };
    const film = { ...job, output: FILM, path: join(folder, 'no-such-folder', 'film.mp4') };
    const still = { ...job, path: join(folder, 'no-such-folder', 'still.png') };
    const pool = createPainterPool({ size: 1 });
    t.after(() => pool.close());
    const call = { signal: new AbortController().signal, onProgress: () => undefined };
    for (const each of [film, still])
      await assert.rejects(pool.paint(each, call), (error) => {
        assert.ok(error instanceof MachineFault);
        assert.equal(error.message, 'the painter cannot work: this machine reports ENOENT');
        assert.match(String(error.cause), /ENOENT/);
        return true;
      });
    await pool.paint({ ...job, path: join(folder, 'after.png') }, call);
  });
});

describe('the painter’s program', () => {
  async function paintsWith(child: ChildProcess): Promise<void> {
    const job = {
      path: join(folder, 'own.png'),
      output: STILL,
      seed: 1,
      action: null,
      values: { prompt: 'a tree' },
      media: [],
      parent: null,
      testMark: false,
    };
    const done = Promise.withResolvers<void>();
    child.on('message', ({ type }: { type: string }) => type === 'done' && done.resolve());
    child.on('exit', (code) => done.reject(new Error(`the painter ended with ${code}`)));
    child.send(job);
    await done.promise;
  }

  it('gets no higher priority than a service that runs at low priority', async (t) => {
    const words = ['-n', '15', process.execPath, join(import.meta.dirname, 'painter.ts')];
    const child = spawn('nice', words, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    t.after(() => child.kill('SIGKILL'));
    await paintsWith(child);
    assert.equal(getPriority(child.pid!), Math.min(19, getPriority() + 15));
  });

  it('is ended by its guard beyond its memory', async (t) => {
    const small = createPainterPool({ size: 1, memoryLimitBytes: 50 * 2 ** 20 });
    t.after(() => small.close());
    const job = { seed: 1, action: null, values: { prompt: 'a tree' }, media: [], parent: null, testMark: false };
    const output = { ...FILM, width: 640, height: 480 };
    const call = { signal: AbortSignal.timeout(60_000), onProgress: () => undefined };
    const painting = small.paint({ ...job, path: join(folder, 'never.mp4'), output }, call);
    await assert.rejects(painting, { name: 'PainterFault', kind: 'lost', message: /SIGUSR2/ });
  });

  it("runs at low priority, ignores the service's stop signals, and ends with its parent", async () => {
    const child = fork(new URL('./painter.ts', import.meta.url), { stdio: 'ignore', env: {} });
    await paintsWith(child);
    assert.equal(getPriority(child.pid!), Math.max(10, getPriority()));
    child.kill('SIGTERM');
    child.kill('SIGINT');
    await paintsWith(child);
    child.disconnect();
    await once(child, 'exit');
    assert.equal(child.exitCode, 0);
  });
});
