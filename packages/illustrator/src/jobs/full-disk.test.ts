import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { machineFaultOf } from '@darkroom-service/media/process';
import { createPainterPool } from './painter-pool.ts';

// Whatever is written there finds no room.
const skip = existsSync('/dev/full') ? false : 'this system has no /dev/full';

test('a painter on a full disk blames the machine, not the order', {
  skip,
}, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'full-disk-'));
  const pool = createPainterPool({ size: 1 });
  t.after(async () => {
    await pool.close();
    await rm(folder, { recursive: true });
  });
  const still = {
    width: 64,
    height: 64,
    format: 'png',
    durationSeconds: null,
    fps: null,
    audio: false,
    tiles: null,
  } as const;
  const film = { ...still, format: 'mp4', durationSeconds: 1, fps: 12 } as const;
  const order = { seed: 1, action: null, values: { prompt: 'a tree' }, media: [], parent: null, testMark: false };
  const call = { signal: new AbortController().signal, onProgress: () => undefined };
  for (const output of [still, film]) {
    const path = join(folder, `full.${output.format}`);
    await symlink('/dev/full', path);
    await assert.rejects(pool.paint({ ...order, output, path }, call), (error) => machineFaultOf(error) === 'ENOSPC');
  }
});
