import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { until } from '@darkroom-service/testing';
import { loadConfig } from '../helpers/load-config.ts';
import { type BatchAnswer, startTestService, type TaskAnswer } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** The archive of a batch's outputs, read by another implementation of the format. */

/** What is read of the files, while a test replaces them. */
const files = { made: null as (() => Readable) | null, open: 0, mostOpen: 0, bytes: 0 };
const { call, keys, config, database } = await startTestService(wholeFile, {
  service: {
    engines: [createSwiftEngine()],
    wrapStorage: (storage) => ({
      ...storage,
      open: (...all) => (files.made === null ? storage.open(...all) : openMade()),
    }),
  },
  config: { budgets: { ...loadConfig({}).budgets, streams: 2 } },
});

async function openMade(): Promise<Readable> {
  const made = files.made!();
  files.mostOpen = Math.max(files.mostOpen, ++files.open);
  made.once('close', () => files.open--);
  return made;
}

/** A file of this many pieces of 64 KB. @param failing whether it breaks off at its end */
function madeFile(pieces: number, failing: boolean): Readable {
  let left = pieces;
  return new Readable({
    read() {
      files.bytes += 65_536;
      if (left-- > 0) this.push(Buffer.alloc(65_536, 7));
      else if (failing) this.destroy(new Error('the disk is gone'));
      else this.push(null);
    },
  });
}
const key = keys.test;
const skip = spawnSync('python3', ['--version']).status !== 0 && 'there is no python3';

const image = (name: string | null, body: object = {}) => ({
  ...(name === null ? {} : { name }),
  operation: 'images',
  body: { model_id: 'sketch', prompt: 'a fox', size: '128x96', ...body },
});

async function ended(orders: readonly object[]): Promise<{ batch: BatchAnswer; tasks: TaskAnswer[] }> {
  const { data, error } = await call(key, 'POST', '/v1/batches', { orders });
  assert.ok(data, JSON.stringify(error));
  const batch = await until(
    async () => (await call(key, 'GET', data.urls.self)).data,
    ({ status }) => status !== 'processing',
  );
  return { batch, tasks: (await call(key, 'GET', `${batch.urls.tasks}?limit=100`)).data.items };
}

const archiveOf = (batch: BatchAnswer) =>
  fetch(`${batch.urls.results}?format=zip`, { headers: { authorization: `Bearer ${key}` } });

async function keyOf(taskId: string): Promise<string> {
  const { read } = database;
  const row = await read.first(read.builder.selectFrom('tasks').select('outputs_json').where('id', '=', taskId));
  return (JSON.parse(row?.outputs_json ?? '[]') as [{ key: string }])[0].key;
}

const READ = `
import hashlib, json, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
print(json.dumps([[i.filename, i.compress_type, list(i.date_time), hashlib.sha256(archive.read(i)).hexdigest(), archive.read(i).decode() if i.filename.endswith('.jsonl') else ''] for i in archive.infolist()]))
`;

test('the archive has every output under the name of its order, and lists the tasks without one', {
  skip,
}, async () => {
  const { batch, tasks } = await ended([
    image('hero'),
    image('Hero'),
    image(null),
    image('gone'),
    image('bad', { simulate: { outcome: 'content_policy' } }),
  ]);
  const [hero, twin, unnamed, gone, bad] = tasks as [TaskAnswer, TaskAnswer, TaskAnswer, TaskAnswer, TaskAnswer];
  await rm(join(config.filesDirectory, await keyOf(gone.task_id)));
  const answer = await archiveOf(batch);
  assert.equal(answer.headers.get('content-type'), 'application/zip');
  assert.equal(answer.headers.get('content-disposition'), `attachment; filename="${batch.batch_id}.zip"`);
  const file = join(await mkdtemp(join(tmpdir(), 'darkroom-zip-')), 'batch.zip');
  await writeFile(file, Buffer.from(await answer.arrayBuffer()));
  const { stdout } = await promisify(execFile)('python3', ['-c', READ, file]);
  const entries = JSON.parse(stdout) as [string, number, number[], string, string][];
  const extension = String(hero.outputs[0].url).match(/\.[a-z0-9]+(?=\?|$)/)?.[0] ?? '';
  assert.deepEqual(
    entries.map(([name]) => name),
    [`hero${extension}`, `Hero-${twin.task_id}${extension}`, `${unnamed.task_id}${extension}`, 'missing.jsonl'],
  );
  const year = new Date(hero.completed_at).getFullYear();
  for (const [index, task] of [hero, twin, unnamed].entries()) {
    const bytes = await (await fetch(task.outputs[0].url)).arrayBuffer();
    const [, compression, date, sha256] = entries[index] ?? [];
    assert.deepEqual([compression, sha256], [0, createHash('sha256').update(Buffer.from(bytes)).digest('hex')]);
    assert.ok(Math.abs((date?.[0] ?? 0) - year) <= 1);
  }
  const missing = (entries[3]?.[4] ?? '')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(missing, [
    { task_id: gone.task_id, name: 'gone', status: 'succeeded', reason: 'outputs_expired' },
    { task_id: bad.task_id, name: 'bad', status: 'failed', reason: 'content_policy' },
  ]);
});

const openArchive = (batch: BatchAnswer): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` };
    get(`${batch.urls.results}?format=zip`, { headers }, resolve).on('error', reject);
  });

test('files are read one after the other, as fast as the caller reads, and no further once it leaves', async () => {
  const { batch } = await ended([image(null), image(null), image(null)]);
  files.made = () => madeFile(1_000, false);
  try {
    const [first, second] = [await openArchive(batch), await openArchive(batch)];
    const third = await openArchive(batch);
    assert.deepEqual([first.statusCode, second.statusCode, third.statusCode], [200, 200, 429]);
    third.resume();
    second.destroy();
    await once(first, 'readable');
    const before = await until(
      async () => files.bytes,
      (bytes) => bytes === files.bytes,
    );
    assert.ok(before < 1_000 * 65_536, `${before} bytes were read for nobody`);
    assert.ok(files.mostOpen <= 2, 'one of each caller');
    first.destroy();
    await until(
      async () => files.open,
      (open) => open === 0,
    );
    const again = await until(
      () => openArchive(batch),
      (answer) => answer.statusCode === 200,
    );
    again.destroy();
  } finally {
    files.made = null;
  }
});

test('an archive whose file cannot be read to its end breaks off, so that nobody takes it for whole', async () => {
  const { batch } = await ended([image(null)]);
  files.made = () => madeFile(3, true);
  try {
    await assert.rejects(async () => await (await archiveOf(batch)).arrayBuffer());
  } finally {
    files.made = null;
  }
});
