import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openStorage } from '@darkroom-service/files';
import { pino } from 'pino';
import { simulateDisk } from '../../../test/helpers/simulated-disk.ts';
import { temporaryDirectory } from '../../../test/helpers/temporary-directory.ts';
import type { Answer } from './answer.ts';
import { DiskSpool } from './answer-spool.ts';
import { UnsavedAnswers } from './unsaved-answers.ts';

const OPTIONS = { contentType: 'image/png', maxBytes: 1_000 };
const FACTS = { seed: 7, revisedPrompt: null, tiles: null };
const PICTURE = Buffer.from('a picture');

const inHand = (directory: string, processId: string) =>
  new UnsavedAnswers({
    spool: new DiskSpool(join(directory, 'spool'), processId),
    ended: { take: () => ({ release: () => {} }) },
    now: () => 0,
    log: pino({ level: 'silent' }),
  });
const resultOf = (source: { data: Uint8Array } | { path: string }): Answer => ({
  kind: 'delivery',
  delivery: { outputs: [{ source, ...FACTS }] },
});

test('an answer that was spooled is whole after a power cut, wherever its media were', async (t) => {
  const directory = await temporaryDirectory('spool-');
  const disk = await simulateDisk(t, directory);
  const film = join(directory, 'film.mp4');
  await writeFile(film, 'a film');
  const stored = { paths: [join(directory, 'files', 'linked.png')], bytes: PICTURE.length, sha256: digestOf(PICTURE) };
  const storage = await openStorage({ url: null, directory: join(directory, 'files') });
  await storage.put('linked.png', PICTURE, OPTIONS);
  const answers: Readonly<Record<string, Answer>> = {
    img_asked: { kind: 'operation', operation: { url: 'x' }, job: null },
    img_memory: resultOf({ data: PICTURE }),
    img_linked: resultOf({ data: PICTURE }),
    vid_file: resultOf({ path: film }),
  };
  const before = inHand(directory, 'first');
  for (const [id, answer] of Object.entries(answers)) {
    before.add({ id, fence: 1 }, 'fal', answer);
    if (id === 'img_linked') before.wroteFile(id, 0, stored);
    assert.ok(await before.spool(id));
    // Each by itself: the flush of a later one must not save it.
    const after = inHand(await disk.cutPower(), 'second');
    await after.takeOverEnded();
    const read = after.of(id);
    if (answer.kind === 'operation') assert.deepEqual(read, answer, id);
    else assert.equal(await firstOutputOf(read), id === 'vid_file' ? 'a film' : 'a picture', id);
  }
});

test('a stored file is whole after a power cut, also in folders that are new', async (t) => {
  const directory = await temporaryDirectory('stored-');
  const storage = await openStorage({ url: null, directory: join(directory, 'files') });
  const disk = await simulateDisk(t, directory);
  for (const key of ['tasks/img_1/0-out.png', 'tasks/img_1/1-out.png', 'tasks/img_2/0-out.png']) {
    await storage.put(key, PICTURE, OPTIONS);
    const left = await disk.cutPower();
    assert.deepEqual(await readFile(join(left, 'files', key)), PICTURE, key);
  }
});

async function firstOutputOf(answer: Answer | null): Promise<string> {
  assert.ok(answer?.kind === 'delivery', 'there is no result');
  const source = answer.delivery.outputs[0]?.source;
  assert.ok(source !== undefined && 'path' in source);
  return await readFile(source.path, 'utf8');
}

function digestOf(data: Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}
