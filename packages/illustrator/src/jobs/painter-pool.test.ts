import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { machineFaultOf } from '@darkroom-service/media/process';
import { until } from '@darkroom-service/testing';
import { PainterFault, PaintFault, type PaintJob } from './paint-job.ts';
import { createPainterPool, type PainterPool, type PainterPoolOptions } from './painter-pool.ts';

const folder = await mkdtemp(join(tmpdir(), 'pool-'));
after(() => rm(folder, { recursive: true }));

/** Does what the job's `do` says, and answers with its process id. */
const program = join(folder, 'program.mjs');
await writeFile(
  program,
  `process.on('disconnect', () => process.exit());
   process.send({ type: 'ready' });
   process.on('message', async ({ values }) => {
     const done = () => process.send({ type: 'done', result: { keep: process.pid }, memory: values.memory ?? 0 });
     if (values.do === 'paint') done();
     if (values.do === 'slowly') { process.send({ type: 'progress', progress: 40 }); setTimeout(done, values.ms); }
     if (values.do === 'block') process.send({ type: 'progress', progress: 1 }, () => { for (;;); });
     if (values.do === 'get killed') process.kill(process.pid, 'SIGKILL');
     if (values.do === 'die') { console.error('the brush broke'); process.exit(7); }
     if (values.do === 'refuse') process.send({ type: 'failed', kind: 'invalid_input', message: 'not a picture' });
     if (values.do === 'find the disk full')
       process.send({ type: 'failed', kind: 'system', message: 'ENOSPC: no space left on device, write', code: 'ENOSPC' });
     if (values.do === 'environment') process.send({ type: 'done', result: { keep: Object.keys(process.env) }, memory: 0 });
   });`,
);

function openPool(t: TestContext, options: PainterPoolOptions = {}): PainterPool {
  const pool = createPainterPool({ size: 1, program: pathToFileURL(program), ...options });
  t.after(() => pool.close());
  return pool;
}

function job(values: PaintJob['values']): PaintJob {
  const output = {
    format: 'png',
    width: 8,
    height: 8,
    durationSeconds: null,
    fps: null,
    audio: false,
    tiles: null,
  } as const;
  return {
    path: join(folder, 'out.png'),
    output,
    seed: 1,
    action: null,
    values,
    media: [],
    parent: null,
    testMark: false,
  };
}

async function paint(
  pool: PainterPool,
  values: PaintJob['values'],
  signal: AbortSignal = new AbortController().signal,
  onProgress: () => void = () => undefined,
): Promise<unknown> {
  return (await pool.paint(job(values), { signal, onProgress })).keep;
}

function isAlive(pid: unknown): boolean {
  try {
    return process.kill(pid as number, 0);
  } catch {
    return false;
  }
}

describe('the painters', () => {
  it('are used again, one after the other', async (t) => {
    const pool = openPool(t);
    const first = await paint(pool, { do: 'paint' });
    assert.notEqual(first, process.pid);
    assert.equal(await paint(pool, { do: 'paint' }), first);
  });

  it('run up to the allowed number; further jobs wait', async (t) => {
    const pool = openPool(t, { size: 2 });
    const order: number[] = [];
    const pids = await Promise.all(
      [0, 1, 2, 3, 4].map(async (place) => {
        const pid = await paint(pool, { do: 'slowly', ms: 30 });
        order.push(place);
        return pid;
      }),
    );
    assert.equal(new Set(pids).size, 2);
    assert.ok(order.indexOf(4) >= 3, 'it began when three had ended');
  });

  it('tell how far they are', async (t) => {
    const pool = openPool(t);
    const seen: number[] = [];
    await pool.paint(job({ do: 'slowly', ms: 10 }), {
      signal: new AbortController().signal,
      onProgress: (progress) => seen.push(progress),
    });
    assert.deepEqual(seen, [40]);
  });

  it('fail one attempt when they die, and the next job finds another', async (t) => {
    const pool = openPool(t);
    await assert.rejects(paint(pool, { do: 'die' }), (error) => {
      assert.ok(error instanceof PainterFault);
      assert.equal(error.kind, 'lost');
      assert.equal(error.message, 'the painter ended before the picture was done (code 7)');
      assert.match(String(error.cause), /the brush broke/);
      return true;
    });
    assert.equal(typeof (await paint(pool, { do: 'paint' })), 'number');
  });

  it('say why a job cannot be done, and go on', async (t) => {
    const pool = openPool(t);
    const pid = await paint(pool, { do: 'paint' });
    await assert.rejects(
      paint(pool, { do: 'refuse' }),
      (error) => error instanceof PaintFault && error.kind === 'invalid_input' && error.message === 'not a picture',
    );
    assert.equal(await paint(pool, { do: 'paint' }), pid);
  });

  it('tell a resource shortage from an order that cannot be painted, and go on', async (t) => {
    const pool = openPool(t);
    const before = await paint(pool, { do: 'paint' });
    await assert.rejects(paint(pool, { do: 'find the disk full' }), (error) => machineFaultOf(error) === 'ENOSPC');
    assert.equal(await paint(pool, { do: 'paint' }), before, 'the painter itself is well');
  });

  it('end the job as a fault of the machine when the system ends them, or their program cannot be loaded', async (t) => {
    const pool = openPool(t);
    await assert.rejects(paint(pool, { do: 'get killed' }), (error) => machineFaultOf(error) === 'SIGKILL');
    assert.equal(typeof (await paint(pool, { do: 'paint' })), 'number');
    const incomplete = openPool(t, { program: pathToFileURL(join(folder, 'none.mjs')) });
    await assert.rejects(paint(incomplete, { do: 'paint' }), (error) => {
      assert.equal(machineFaultOf(error), 'ERR_PROGRAM');
      assert.ok(!String(error).includes(folder), String(error));
      return true;
    });
  });

  it('do not blame a job for a part of their program that they cannot load', async (t) => {
    const directory = await mkdtemp(join(tmpdir(), 'darkroom-parts-'));
    t.after(() => rm(directory, { recursive: true, force: true }));
    const home = join(import.meta.dirname, '..', '..');
    for (const name of ['src', 'package.json']) await cp(join(home, name), join(directory, name), { recursive: true });
    await symlink(join(home, '..', '..', 'node_modules'), join(directory, 'node_modules'));
    await rm(join(directory, 'src', 'jobs', 'paint-picture.ts'));
    const pool = openPool(t, { program: pathToFileURL(join(directory, 'src', 'jobs', 'painter.ts')) });
    await assert.rejects(paint(pool, { do: 'paint' }), (error) => {
      assert.ok(!String(error).includes(directory), String(error));
      return machineFaultOf(error) !== null;
    });
  });

  it('are what the system ends first when memory runs out', { skip: process.platform !== 'linux' }, async (t) => {
    const pid = await paint(openPool(t), { do: 'paint' });
    assert.equal(await readFile(`/proc/${pid}/oom_score_adj`, 'utf8'), '1000\n');
  });

  it('stop at once when the job is called off, even amid a computation', async (t) => {
    const pool = openPool(t);
    const pid = await paint(pool, { do: 'paint' });
    const controller = new AbortController();
    const blocked = Promise.withResolvers<void>();
    const painting = paint(pool, { do: 'block' }, controller.signal, blocked.resolve);
    await blocked.promise;
    controller.abort(new Error('called off'));
    await assert.rejects(painting, /called off/);
    assert.equal(isAlive(pid), false);
    assert.notEqual(await paint(pool, { do: 'paint' }), pid);
  });

  it('never start a job that is called off while it waits', async (t) => {
    const pool = openPool(t);
    const controller = new AbortController();
    const first = paint(pool, { do: 'slowly', ms: 100 });
    const second = paint(pool, { do: 'die' }, controller.signal);
    const third = paint(pool, { do: 'paint' });
    controller.abort(new Error('called off'));
    await assert.rejects(second, /called off/);
    assert.equal(await third, await first);
  });

  it('are stopped when a job takes too long', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const pool = openPool(t, { jobLimitMs: 300 });
    const stopped = assert.rejects(
      paint(pool, { do: 'block' }),
      (error) => error instanceof PaintFault && error.kind === 'time_limit',
    );
    await setImmediate();
    t.mock.timers.tick(300);
    await stopped;
    assert.equal(typeof (await paint(pool, { do: 'paint' })), 'number');
  });

  it('end when there is nothing to do', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const pool = openPool(t, { idleMs: 50 });
    const pid = await paint(pool, { do: 'paint' });
    t.mock.timers.tick(49);
    assert.equal(await paint(pool, { do: 'paint' }), pid);
    t.mock.timers.tick(50);
    await until(
      () => isAlive(pid),
      (alive) => !alive,
    );
    assert.notEqual(await paint(pool, { do: 'paint' }), pid);
  });

  it('are replaced after so many jobs, or when they grew too large', async (t) => {
    const often = openPool(t, { jobsPerPainter: 2 });
    const pids = [
      await paint(often, { do: 'paint' }),
      await paint(often, { do: 'paint' }),
      await paint(often, { do: 'paint' }),
    ];
    assert.equal(pids[0], pids[1]);
    assert.notEqual(pids[1], pids[2]);
    const large = openPool(t, { maxMemoryBytes: 1000 });
    assert.notEqual(await paint(large, { do: 'paint', memory: 1001 }), await paint(large, { do: 'paint' }));
  });

  it('that cannot be started fail their job as not begun, and are started again for the next one', async (t) => {
    const pool = openPool(t);
    const { execPath } = process;
    t.after(() => {
      process.execPath = execPath;
    });
    process.execPath = join(folder, 'no-such-program');
    await assert.rejects(paint(pool, { do: 'paint' }), (error) => machineFaultOf(error) === 'ENOENT');
    process.execPath = execPath;
    assert.equal(typeof (await paint(pool, { do: 'paint' })), 'number');
  });

  it('get nothing of the environment', async (t) => {
    process.env.FAL_KEY = 'a secret';
    t.after(() => delete process.env.FAL_KEY);
    const names = (await paint(openPool(t), { do: 'environment' })) as string[];
    assert.ok(!names.includes('FAL_KEY'), names.join());
  });

  it('end with the pool, and nothing starts after', async (t) => {
    const pool = openPool(t);
    const pid = await paint(pool, { do: 'paint' });
    const blocked = Promise.withResolvers<void>();
    const running = assert.rejects(paint(pool, { do: 'block' }, undefined, blocked.resolve), PainterFault);
    const queued = assert.rejects(paint(pool, { do: 'paint' }), /stopping/);
    await blocked.promise;
    await pool.close();
    await Promise.all([running, queued]);
    assert.equal(isAlive(pid), false);
    await assert.rejects(paint(pool, { do: 'paint' }), /stopping/);
  });
});
