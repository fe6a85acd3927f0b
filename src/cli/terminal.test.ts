import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { startCommandService } from '../../test/helpers/command-service.ts';
import { installation, runDarkroom } from '../../test/helpers/run-darkroom.ts';
import { wholeFile } from '../../test/helpers/whole-file.ts';
import { table } from './output.ts';

const { newUser } = await startCommandService(wholeFile);
const longest = (text: string) => Math.max(...text.split('\n').map((line) => line.length));

test('a table that is too wide for the terminal wraps its last column, or puts each row on several lines', () => {
  const heading = ['MODEL', 'VALUES'];
  const rows = [['sketch', 'one two three four five six seven eight nine ten']];
  assert.equal(table(heading, rows, 60), `MODEL   VALUES\nsketch  ${rows[0]?.[1]}`);
  assert.equal(
    table(heading, rows, 40),
    'MODEL   VALUES\nsketch  one two three four five six\n        seven eight nine ten',
  );
  assert.equal(
    table(['TASK', 'STATUS', 'USD', 'PROMPT'], [['img_01', 'succeeded', '0.01', 'a fox in the snow']], 30),
    'TASK\n  STATUS  USD  PROMPT\nimg_01\n  succeeded  0.01  a fox in\n  the snow',
  );
});

test('lists and help fit a terminal of 40 columns, and a pipe gets whole lines', async (t) => {
  const service = await newUser(t);
  await service.make('/v1/images', { model_id: 'sketch', prompt: 'a red fox in the snow at dawn', size: '256x256' });
  const words = ['tasks', 'list', '--type', 'image'];
  const narrow = await runDarkroom(words, { ...service.variables, COLUMNS: '40' }, service.directory);
  assert.ok(longest(narrow.stdout) <= 40, narrow.stdout);
  assert.ok(longest((await service.run(...words)).stdout) > 80);
  for (const command of [[], ['image'], ['keys', 'create'], ['tasks', 'list']]) {
    const help = await runDarkroom([...command, '--help'], { COLUMNS: '40' }, service.directory);
    const lines = help.stdout.split('\n').filter((line) => !line.startsWith('Example: '));
    assert.ok(longest(lines.join('\n')) <= 40, help.stdout);
  }
});

test('--version prints the version of the package', async (t) => {
  const { run } = await installation(t);
  const { version } = JSON.parse(await readFile(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'));
  const { code, stdout } = await run('--version');
  assert.deepEqual([code, stdout], [0, `${version}\n`]);
});
