import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, promises } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock, type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import type { Answer } from './answer.ts';
import { DiskSpool } from './answer-spool.ts';
import { UnsavedAnswers } from './unsaved-answers.ts';

const { mkdir: makeFolder, rmdir: removeFolder } = promises;
const FILM = Buffer.from('a film');

test('a spooled answer is read back as it was, with media from memory, from a file and by address', async (t) => {
  const { directory, open } = await openSpool(t);
  const path = join(directory, 'delivered.mp4');
  await writeFile(path, FILM);
  const facts = { seed: 7, revisedPrompt: 'a red fox', tiles: null };
  const delivery = {
    outputs: [
      { source: { data: Buffer.from('a picture') }, ...facts },
      { source: { path }, ...facts, explanation: ['A fox.'] },
      { source: { url: 'https://example.com/fox.png', allowOrigins: ['https://example.com'] }, ...facts },
    ],
    keep: { scene: ['fox'] },
  };
  const first = open('first');
  first.add({ id: 'img_1', fence: 3 }, 'openai', { kind: 'delivery', delivery });
  const job = { engine: 'fal', name: 'job-1' };
  first.add({ id: 'img_2', fence: 1 }, 'fal', { kind: 'operation', operation: { url: 'x' }, job });
  assert.equal(first.bytesInMemory, 9);
  await first.spoolAll();
  assert.equal(first.bytesInMemory, 0, 'what is on disk is no longer held in memory');
  await rm(path);
  const second = open('second');
  await second.takeOverEnded();
  assert.deepEqual(second.of('img_2'), { kind: 'operation', operation: { url: 'x' }, job });
  const read = second.of('img_1');
  assert.ok(read?.kind === 'delivery');
  const [picture, film, linked] = read.delivery.outputs;
  assert.deepEqual({ ...linked }, delivery.outputs[2]);
  assert.deepEqual(read.delivery.keep, delivery.keep);
  assert.deepEqual([film?.explanation, film?.seed, film?.revisedPrompt], [['A fox.'], 7, 'a red fox']);
  assert.equal(await readFile(pathOf(picture), 'utf8'), 'a picture');
  assert.deepEqual(await readFile(pathOf(film)), FILM);
  await second.release('img_1');
  await second.release('img_2');
  assert.deepEqual(await readdir(join(directory, 'spool')), []);
});

test('of the answers to an order that cannot be read the first is kept, until the order is erased', async (t) => {
  const { directory, open } = await openSpool(t);
  const answers = open('first');
  const unread = { bytes: Buffer.from('{'), files: [FILM] };
  const path = await answers.keepUnread({ id: 'img_1', fence: 3 }, unread);
  assert.equal(path, join(directory, 'spool', 'late-results', 'img_1.3'));
  assert.deepEqual([await readFile(join(path, 'answer'), 'utf8'), await readFile(join(path, '0'))], ['{', FILM]);
  assert.equal(await answers.keepUnread({ id: 'img_1', fence: 4 }, unread), null);
  assert.notEqual(await answers.keepUnread({ id: 'img_2', fence: 1 }, unread), null);
  await answers.removeKept(async (taskId) => taskId === 'img_1');
  assert.deepEqual(await readdir(join(directory, 'spool', 'late-results')), ['img_2.1']);
});

test('media that a file has are linked, and written if the file has gone', async (t) => {
  const { directory, open } = await openSpool(t);
  const answers = open('first');
  const data = Buffer.from('a picture');
  const file = { bytes: data.length, sha256: createHash('sha256').update(data).digest('hex') };
  const outputs = [{ source: { data }, seed: null, revisedPrompt: null, tiles: null }];
  for (const [id, name] of Object.entries({ img_1: 'aside', img_2: 'stored', img_3: null })) {
    const paths = [join(directory, `${id}-aside`), join(directory, `${id}-stored`)];
    if (name !== null) await writeFile(join(directory, `${id}-${name}`), data);
    answers.add({ id, fence: 1 }, 'openai', { kind: 'delivery', delivery: { outputs } });
    answers.wroteFile(id, 0, { ...file, paths });
    assert.ok(await answers.spool(id));
    const spooled = answers.of(id);
    assert.ok(spooled?.kind === 'delivery');
    const path = pathOf(spooled.delivery.outputs[0]);
    assert.deepEqual([(await stat(path)).nlink, await readFile(path, 'utf8')], [name === null ? 1 : 2, 'a picture']);
  }
  const second = open('second');
  await second.takeOverEnded();
  assert.equal(second.list().length, 3, 'all are whole');
});

test('a damaged answer in the spool is set aside and blocks nothing', async (t) => {
  const { directory, open } = await openSpool(t);
  const first = open('first');
  const spool = join(directory, 'spool');
  const answer = (text: string): Answer => ({
    kind: 'delivery',
    delivery: { outputs: [{ source: { data: Buffer.from(text) }, seed: null, revisedPrompt: null, tiles: null }] },
  });
  const ids = ['img_whole', 'img_record', 'img_version', 'img_medium', 'img_gone', 'img_other'];
  for (const id of ids) first.add({ id, fence: 1 }, 'openai', answer(id));
  await first.spoolAll();
  const at = (id: string, file: string) => join(spool, 'first', `${id}.1`, file);
  await writeFile(at('img_record', 'answer.json'), '{"version":1,');
  const record = await readFile(at('img_version', 'answer.json'), 'utf8');
  await writeFile(at('img_version', 'answer.json'), record.replace('"version":1', '"version":2'));
  await writeFile(at('img_medium', '0'), 'img_mEdium');
  await rm(at('img_gone', '0'));
  await writeFile(at('img_other', 'answer.json'), record);
  await mkdir(join(spool, 'first', '.tmp-half-written'));
  await mkdir(join(spool, 'first', 'something else'));
  const second = open('second');
  await second.takeOverEnded();
  assert.deepEqual(
    second.list().map(({ key }) => key.taskId),
    ['img_whole'],
  );
  const damaged = await readdir(join(spool, 'damaged'));
  assert.equal(damaged.length, ids.length - 1 + 1, damaged.join());
  assert.ok(!existsSync(join(spool, 'first')), 'nothing is left of the ended process');
});

test('the answers of a process that lives are left alone', async (t) => {
  const { open, live } = await openSpool(t);
  const first = open('first');
  first.add({ id: 'img_1', fence: 1 }, 'fal', { kind: 'operation', operation: {}, job: null });
  await first.spoolAll();
  live.add('first');
  const second = open('second');
  await second.takeOverEnded();
  assert.equal(second.has('img_1'), false);
  assert.equal(await second.find({ id: 'img_1', fence: 2 }, 'fal'), 'elsewhere');
  assert.equal(await second.find({ id: 'img_9', fence: 2 }, 'fal'), null);
  live.delete('first');
  assert.deepEqual(await second.find({ id: 'img_1', fence: 2 }, 'fal'), {
    kind: 'operation',
    operation: {},
    job: null,
  });
});

test('the answer of an engine that an order has left is no trace of the order at another one', async (t) => {
  const { open } = await openSpool(t);
  const answers = open('first');
  answers.add({ id: 'img_1', fence: 1 }, 'sd-server', { kind: 'operation', operation: {}, job: null });
  assert.equal(await answers.find({ id: 'img_1', fence: 2 }, 'fal'), null);
  const found = await answers.find({ id: 'img_1', fence: 2 }, 'sd-server');
  assert.deepEqual(found, { kind: 'operation', operation: {}, job: null });
});

test('an answer is spooled although the last other one is removed just after its folder was made', async (t) => {
  const { directory, open } = await openSpool(t);
  const answers = open('first');
  for (const id of ['img_1', 'img_2'])
    answers.add({ id, fence: 1 }, 'fal', { kind: 'operation', operation: id, job: null });
  await answers.spool('img_1');
  const made = mock.method(promises, 'mkdir', async (...given: Parameters<typeof mkdir>) => {
    const path = await makeFolder(...given);
    made.mock.restore();
    syncBuiltinESMExports();
    await answers.release('img_1');
    return path;
  });
  syncBuiltinESMExports();
  assert.ok(await answers.spool('img_2'));
  assert.deepEqual(await readdir(join(directory, 'spool', 'first')), ['img_2.1']);
});

test('an answer is spooled although the empty folder is being removed', async (t) => {
  const { directory, open } = await openSpool(t);
  const answers = open('first');
  for (const id of ['img_1', 'img_2'])
    answers.add({ id, fence: 1 }, 'fal', { kind: 'operation', operation: id, job: null });
  await answers.spool('img_1');
  let isSpooled: Promise<boolean> | undefined;
  const removed = mock.method(promises, 'rmdir', async (path: string) => {
    removed.mock.restore();
    syncBuiltinESMExports();
    isSpooled = answers.spool('img_2');
    // As long as it takes to find that the folder is there.
    await stat(path);
    await setImmediate();
    await removeFolder(path);
  });
  syncBuiltinESMExports();
  await answers.release('img_1');
  assert.ok(await isSpooled);
  assert.deepEqual(await readdir(join(directory, 'spool', 'first')), ['img_2.1']);
});

interface TestSpool {
  readonly directory: string;
  /** Processes that hold their lock. */
  readonly live: Set<string>;
  open(processId: string): UnsavedAnswers;
}

async function openSpool(t: TestContext): Promise<TestSpool> {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-answers-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const live = new Set<string>();
  return {
    directory,
    live,
    open: (processId) =>
      new UnsavedAnswers({
        spool: new DiskSpool(join(directory, 'spool'), processId),
        ended: { take: (id) => (live.has(id) ? null : { release: () => {} }) },
        now: () => 0,
        log: pino({ level: 'silent' }),
      }),
  };
}

function pathOf(output: { readonly source: object } | undefined): string {
  assert.ok(output !== undefined && 'path' in output.source);
  return output.source.path as string;
}
