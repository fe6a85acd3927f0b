import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { acquireProcessLock } from '@darkroom-service/store';
import { diagnoseSpool } from './diagnose-spool.ts';

test('the doctor lists the engine answers on this disk, with advice', async (t) => {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'darkroom-doctor-'));
  t.after(() => rm(dataDirectory, { recursive: true, force: true }));
  const spool = join(dataDirectory, 'spool');
  assert.equal((await diagnoseSpool({ dataDirectory })).status, 'ok');
  const lock = acquireProcessLock(join(dataDirectory, 'processes'), 'here-1-a');
  t.after(() => lock.release());
  for (const folder of [
    'here-1-a/img_1.3',
    'here-2-b/img_2.1',
    'here-2-b/vid_3.1',
    'late-results/img_4.2',
    'damaged/img_5.2',
  ])
    await mkdir(join(spool, folder), { recursive: true });
  const { status, found, advice } = await diagnoseSpool({ dataDirectory });
  assert.equal(status, 'warning');
  assert.match(found, /1 that a running process cannot store yet; 2 of ended processes; 1 that came too late/);
  assert.match(found, /1 that cannot be read, in .*damaged/);
  assert.match(advice ?? '', /Start a worker with this data directory/);
});
