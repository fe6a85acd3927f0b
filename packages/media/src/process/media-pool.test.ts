import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { until } from '@darkroom-service/testing';
import { MediaUnavailable } from '../media-fault.ts';
import { UNTRUSTED_LIMITS } from '../media-limits.ts';
import { defaultPoolSize, MediaPool, type MediaPoolOptions, type PoolCall } from './media-pool.ts';

const folder = await mkdtemp(join(tmpdir(), 'media-pool-'));
after(() => rm(folder, { recursive: true }));

/** Does what the first word of the job's path says; `hold` until the file of the second word is there. */
const program = join(folder, 'program.mjs');
await writeFile(
  program,
  `import { existsSync, appendFileSync } from 'node:fs';
   process.on('disconnect', () => process.exit());
   const tell = (message) => process.send({ memory: 0, ...message });
   process.on('message', ({ path }) => {
     const [act, file] = path.split(' ');
     const done = (result = process.pid) => tell({ type: 'done', result });
     if (act === 'read') done();
     if (act === 'large') tell({ type: 'done', result: process.pid, memory: 1e12 });
     if (act === 'environment') done(Object.keys(process.env));
     if (act === 'hold') { appendFileSync(file + '.started', '.'); const timer = setInterval(() => existsSync(file) && (clearInterval(timer), done()), 5); }
     if (act === 'crash') { appendFileSync(file, '.'); console.error('the decoder broke'); process.kill(process.pid, 'SIGSEGV'); }
     if (act === 'crash-once') { if (existsSync(file)) done(); else { appendFileSync(file, '.'); process.kill(process.pid, 'SIGKILL'); } }
     if (act === 'part') { tell({ type: 'part', result: 'header' }); setImmediate(() => process.kill(process.pid, 'SIGALRM')); }
     if (act === 'leave') { process.removeAllListeners('disconnect'); setTimeout(process.exit, 60_000); done(); process.disconnect(); appendFileSync(file, '.'); }
     if (act === 'refuse') tell({ type: 'refused', kind: 'corrupt', message: 'no picture' });
     if (act === 'full') tell({ type: 'machine', code: 'ENOSPC', message: 'no space left', isOfProgram: false });
     if (act === 'killed') process.kill(process.pid, 'SIGKILL');
     if (act === 'incomplete') tell({ type: 'machine', code: 'ERR_PROGRAM', message: 'it cannot be loaded', isOfProgram: true });
     if (act === 'busy') tell({ type: 'machine', code: 'EMFILE', message: 'too many open files', isOfProgram: false });
   });
   tell({ type: 'ready' });`,
);

function openPool(t: TestContext, options: MediaPoolOptions = {}): MediaPool {
  const pool = new MediaPool({ size: 2, program: pathToFileURL(program), ...options });
  t.after(() => pool.close());
  return pool;
}

function run(pool: MediaPool, path: string, call: Partial<PoolCall> = {}): Promise<unknown> {
  return pool.run({ task: 'probe', path, limits: UNTRUSTED_LIMITS }, { owner: 'key_1', lane: 'untrusted', ...call });
}

let files = 0;
const newFile = () => join(folder, `file-${++files}`);
const started = async (file: string) => (await readFile(`${file}.started`, 'utf8').catch(() => '')).length;

function isAlive(pid: unknown): boolean {
  try {
    return process.kill(pid as number, 0);
  } catch {
    return false;
  }
}

describe('the pool of media processes', () => {
  it('reuses one process, and passes it nothing of its own environment', async (t) => {
    const pool = openPool(t);
    const first = await run(pool, 'read');
    assert.notEqual(first, process.pid);
    assert.equal(await run(pool, 'read'), first);
    // `fork` adds what the channel needs.
    const names = (await run(pool, 'environment')) as string[];
    assert.deepEqual(
      names.filter((name) => !name.startsWith('NODE_') && name !== 'VIPS_DISC_THRESHOLD'),
      [],
    );
  });

  it('leaves a process to others while the files of one owner are read', async (t) => {
    const pool = openPool(t);
    const file = newFile();
    const held = [1, 2, 3].map(() => run(pool, `hold ${file}`));
    await until(
      () => started(file),
      (count) => count === 1,
    );
    assert.ok(await run(pool, 'read', { owner: 'key_2' }));
    assert.equal(await started(file), 1);
    await writeFile(file, '');
    assert.equal(new Set(await Promise.all(held)).size, 1);
  });

  it('leaves a process to live keys while files of several test keys are read', async (t) => {
    const pool = openPool(t);
    const file = newFile();
    const held = ['key_1', 'key_2', 'key_3'].map((owner) => run(pool, `hold ${file}`, { owner, mode: 'test' }));
    await until(
      () => started(file),
      (count) => count === 1,
    );
    assert.ok(await run(pool, 'read', { owner: 'key_4' }));
    assert.equal(await started(file), 1);
    await writeFile(file, '');
    assert.equal(new Set(await Promise.all(held)).size, 1);
  });

  it('leaves the warm process to others after a file of one owner took so much memory that its process ended', async (t) => {
    const pool = openPool(t);
    await run(pool, 'large');
    const warm = await run(pool, 'read', { owner: 'key_2' });
    assert.notEqual(await run(pool, 'large'), warm);
    assert.equal(await run(pool, 'read', { owner: 'key_2' }), warm);
  });

  it('gives the outputs of one owner all of its processes', async (t) => {
    const pool = openPool(t);
    const file = newFile();
    const held = [1, 2, 3].map(() => run(pool, `hold ${file}`, { lane: 'output' }));
    await until(
      () => started(file),
      (count) => count === 2,
    );
    await writeFile(file, '');
    assert.equal(new Set(await Promise.all(held)).size, 2);
  });

  it('gives a file to another process if its own can no longer be reached and has not ended yet', async (t) => {
    const pool = openPool(t);
    const left = newFile();
    const first = await run(pool, `leave ${left}`);
    await until(
      () => existsSync(left),
      (isLeft) => isLeft,
    );
    assert.notEqual(await run(pool, 'read'), first);
  });

  it('gives a file whose process was killed to another one, once', async (t) => {
    const ended: string[] = [];
    const pool = openPool(t, { onEnded: ({ reason }) => ended.push(reason) });
    const fragile = newFile();
    assert.ok(isAlive(await run(pool, `crash-once ${fragile}`)));
    const broken = newFile();
    await assert.rejects(run(pool, `crash ${broken}`), {
      name: 'MediaFault',
      kind: 'too_costly',
      message: 'the decoder crashes on the file',
    });
    assert.equal(await readFile(broken, 'utf8'), '..');
    assert.deepEqual(ended, ['killed', 'crash', 'crash']);
    assert.ok(await run(pool, 'read'));
  });

  it('blames no file when the system ends every process that reads it, or the program cannot be loaded', async (t) => {
    await assert.rejects(run(openPool(t), 'killed'), MediaUnavailable);
    await assert.rejects(
      run(openPool(t, { program: pathToFileURL(join(folder, 'none.mjs')) }), 'read'),
      MediaUnavailable,
    );
    const pool = openPool(t);
    const first = await run(pool, 'read');
    await assert.rejects(run(pool, 'incomplete'), MediaUnavailable);
    assert.notEqual(await run(pool, 'read'), first, 'another process loads it again');
  });

  it('starts processes that the system ends first when memory runs out', {
    skip: process.platform !== 'linux',
  }, async (t) => {
    const pid = await run(openPool(t), 'read');
    assert.equal(await readFile(`/proc/${pid}/oom_score_adj`, 'utf8'), '1000\n');
  });

  it('keeps what was known of an output when its process reaches a limit, and refuses an untrusted file', async (t) => {
    const pool = openPool(t);
    assert.equal(await run(pool, 'part', { lane: 'output' }), 'header');
    await assert.rejects(run(pool, 'part'), { kind: 'too_costly', message: /more than 10 s of processor time/ });
  });

  it('says of a file what the process says, and blames this machine for what is its fault', async (t) => {
    const pool = openPool(t);
    await assert.rejects(run(pool, 'refuse'), { name: 'MediaFault', kind: 'corrupt', message: 'no picture' });
    await assert.rejects(run(pool, 'full'), { name: 'StorageError', kind: 'full' });
    await assert.rejects(run(pool, 'busy'), MediaUnavailable);
    await assert.rejects(
      run(openPool(t, { program: pathToFileURL(join(folder, 'none.mjs')) }), 'read'),
      MediaUnavailable,
    );
  });

  it('replaces a process that does not answer in time', async (t) => {
    const pool = openPool(t, { limits: { answerMs: 1 } });
    await assert.rejects(run(pool, `hold ${newFile()}`), { kind: 'too_costly', message: /takes too long/ });
  });

  it('ends idle processes, the last one later', async (t) => {
    const pool = openPool(t, { idleMs: 1, warmMs: 1 });
    const file = newFile();
    const held = ['key_1', 'key_2'].map((owner) => run(pool, `hold ${file}`, { owner }));
    await until(
      () => started(file),
      (count) => count === 2,
    );
    await writeFile(file, '');
    const pids = await Promise.all(held);
    await until(
      () => pids.some(isAlive),
      (alive) => !alive,
    );
    const warm = openPool(t, { idleMs: 1, warmMs: 60_000 });
    const next = newFile();
    const both = await Promise.all([
      run(warm, `hold ${next}`, { owner: 'key_1' }),
      run(warm, `hold ${next}`, { owner: 'key_2' }),
      until(
        () => started(next),
        (count) => count === 2,
      ).then(() => writeFile(next, '')),
    ]);
    // One has ended because it was idle; the other is the last one.
    const kept = await until(
      () => both.slice(0, 2).filter(isAlive),
      (alive) => alive.length === 1,
    );
    assert.deepEqual([await run(warm, 'read')], kept);
  });

  it('replaces a process after many jobs, and one that holds much memory', async (t) => {
    const pool = openPool(t, { jobsPerProcess: 2 });
    const pids = [await run(pool, 'read'), await run(pool, 'read'), await run(pool, 'read')];
    assert.equal(pids[0], pids[1]);
    assert.notEqual(pids[1], pids[2]);
    const large = await run(pool, 'large');
    assert.notEqual(await run(pool, 'read'), large);
  });

  it('aborts a call by its signal, whether it waits or runs', async (t) => {
    const pool = openPool(t, { size: 1 });
    const file = newFile();
    const [running, waiting] = [new AbortController(), new AbortController()];
    const first = run(pool, `hold ${file}`, { signal: running.signal });
    await until(
      () => started(file),
      (count) => count === 1,
    );
    const second = run(pool, `hold ${file}`, { signal: waiting.signal });
    waiting.abort(new Error('no longer'));
    await assert.rejects(second, /no longer/);
    running.abort(new Error('stopped'));
    await assert.rejects(first, /stopped/);
    assert.ok(await run(pool, 'read'));
    await assert.rejects(run(pool, 'read', { signal: AbortSignal.abort(new Error('before')) }), /before/);
  });

  it('fails what runs and waits as a fault of this machine when it is closed', async (t) => {
    const pool = openPool(t, { size: 1 });
    const file = newFile();
    const calls = [run(pool, `hold ${file}`), run(pool, 'read')].map((call) => assert.rejects(call, MediaUnavailable));
    await until(
      () => started(file),
      (count) => count === 1,
    );
    await pool.close();
    await Promise.all(calls);
    await assert.rejects(run(pool, 'read'), MediaUnavailable);
  });

  it('has two processes at least and four at most, unless told otherwise', () => {
    assert.deepEqual([1, 2, 3, 64].map(defaultPoolSize), [2, 2, 3, 4]);
  });
});
