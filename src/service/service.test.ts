import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadConfig } from '../../test/helpers/load-config.ts';
import { temporaryDirectory } from '../../test/helpers/temporary-directory.ts';
import { createLog } from '../base/log.ts';
import { startService } from './service.ts';

test('a part that fails to close does not prevent closing the others', async () => {
  const directory = await temporaryDirectory('darkroom-service-');
  const config = loadConfig({ DARKROOM_PORT: '0', DARKROOM_DATA_DIR: directory });
  const closed: string[] = [];
  const service = await startService(config, {
    log: createLog('silent'),
    engines: ['one', 'other'].map((name) => ({
      name,
      concurrency: 1,
      start: () => Promise.reject(new Error('not to be started')),
      check: () => Promise.reject(new Error('not to be asked')),
      async close() {
        closed.push(name);
        throw new Error(`${name} cannot be closed`);
      },
    })),
  });
  await assert.rejects(service.stop({ now: true }), SuppressedError);
  assert.deepEqual(closed.sort(), ['one', 'other']);
  assert.deepEqual(await readdir(join(directory, 'tmp')), [], 'what was opened first is closed last');
});

test('a start closes an existing data directory to other users of the machine', {
  skip: process.platform === 'win32',
}, async (t) => {
  const directory = await temporaryDirectory('darkroom-service-');
  await chmod(directory, 0o755);
  await mkdir(join(directory, 'files'));
  await chmod(join(directory, 'files'), 0o755);
  const config = loadConfig({ DARKROOM_PORT: '0', DARKROOM_DATA_DIR: directory });
  const service = await startService(config, { log: createLog('silent') });
  t.after(() => service.stop({ now: true }));
  for (const name of ['.', 'files', 'darkroom.db', 'darkroom.db-wal']) {
    assert.equal((await stat(join(directory, name))).mode & 0o077, 0, name);
  }
});
