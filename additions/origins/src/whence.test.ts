import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { startCommandService } from '../../../test/helpers/command-service.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';

const { newUser } = await startCommandService(wholeFile);

test('a file is led back to its task, and not sent anywhere', async (t) => {
  const user = await newUser(t);
  const task = await user.make('/v1/images', { model_id: 'sketch', prompt: 'a fox', size: '256x256' });
  await user.run('tasks', 'download', task.task_id, '-o', 'fox.png');
  const found = await user.run('whence', 'fox.png');
  assert.deepEqual([found.code, found.stderr], [0, '']);
  assert.equal(found.stdout, `${task.task_id} made this image at ${task.completed_at}.\n`);
  assert.equal((await user.run('whence', 'fox.png', '--plain')).stdout, `${task.task_id}\n`);
  assert.equal(user.proxy.sent(/^POST /).length, 0);
  await writeFile(join(user.directory, 'other.png'), 'other');
  const other = await user.run('whence', 'other.png');
  assert.equal(other.code, 1);
  assert.match(other.stderr, /No output that you may know of has this SHA-256/);
  const missing = await user.run('whence', 'missing.png');
  assert.equal(missing.code, 2);
  assert.match(missing.stderr, /expected a file.*found 'missing\.png'/);
});
