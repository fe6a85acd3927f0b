import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { JsonObject } from '@darkroom-service/contract';
import { startCommandService } from '../../../../test/helpers/command-service.ts';
import { runDarkroom } from '../../../../test/helpers/run-darkroom.ts';
import { wholeFile } from '../../../../test/helpers/whole-file.ts';
import { readOperations } from './operations.ts';

const { service, newUser } = await startCommandService(wholeFile);
const FOX = ['--model-id', 'sketch', '--prompt', 'a fox', '--size', '256x256'];

test('each operation of the interface is a command, and no two of its options have one name', async () => {
  const { body } = await service.call(null, 'GET', '/openapi.json');
  const operations = readOperations(body as unknown as JsonObject);
  const { length } = Object.values(body.paths).flatMap((methods) =>
    Object.values(methods).filter(({ operationId = '' }) => !/^(?:stream|adminFollow|$)/.test(operationId)),
  );
  assert.equal(operations.length, length);
  const own = ['body', 'file', 'output', 'force', 'json', 'plain', 'wait', 'idempotency-key', 'help'];
  for (const { name, inputs } of operations) {
    const options = [...own, ...inputs.filter(({ place }) => place !== 'path').map((input) => input.name)];
    assert.deepEqual(options, [...new Set(options)], name);
  }
});

test('an operation is called with its own names, awaited, and repeated without a second order', async (t) => {
  const user = await newUser(t);
  const words = ['call', 'create-image', ...FOX, '--seed', '7', '--metadata', '{"order":"42"}'];
  const first = await user.run(...words, '--idempotency-key', 'fox-1', '--wait', '--json');
  assert.deepEqual([first.code, first.stderr], [0, '']);
  const task = JSON.parse(first.stdout);
  assert.deepEqual([task.status, task.input.seed, task.metadata], ['succeeded', 7, { order: '42' }]);
  const again = await user.run(...words, '--idempotency-key', 'fox-1', '--json');
  assert.equal(JSON.parse(again.stdout).task_id, task.task_id);
  const shown = await user.run('call', 'get-image', task.task_id);
  assert.match(shown.stdout, /^status: succeeded$/m);
  const listed = await user.run('call', 'list-images', '--limit', '5');
  assert.match(listed.stdout, new RegExp(`^TASK ID .*\\n${task.task_id} `));
  const { stdout: ids } = await user.run('call', 'list-images', '--plain');
  assert.equal(ids.trim(), task.task_id);
});

test('a body comes whole, files are sent and saved, and a value that is none is refused with its field', async (t) => {
  const user = await newUser(t);
  await writeFile(join(user.directory, 'fox.json'), JSON.stringify({ model_id: 'sketch', prompt: 'a hare' }));
  const priced = await user.run('call', 'quote-price', '--body', '@fox.json', '--prompt', 'a fox', '--json');
  assert.equal(JSON.parse(priced.stdout).model_id, 'sketch');
  const { task_id: id } = await user.make('/v1/images', { model_id: 'sketch', prompt: 'a fox', size: '256x256' });
  const saved = await user.run('call', 'get-image-content', id, '-o', 'fox.png');
  assert.deepEqual([saved.code, saved.stderr], [0, '']);
  const sent = await user.run('call', 'upload-file', '--file', 'fox.png', '--json');
  const { file_id: file, bytes } = JSON.parse(sent.stdout);
  assert.equal(bytes, (await readFile(join(user.directory, 'fox.png'))).length);
  const gone = await user.run('call', 'delete-file', file);
  assert.equal(gone.code, 0);
  const refused = await user.run('call', 'create-image', ...FOX, '--seed', 'seven');
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /seed/);
});

test('an operator calls what an operator may', async (t) => {
  const user = await newUser(t);
  const admin = await service.issueKey({ mode: 'admin' });
  const variables = { ...user.variables, DARKROOM_API_KEY: admin.key };
  const credit = ['call', 'admin-credit-account', 'default', '--amount', '25.00', '--note', 'invoice 7', '--json'];
  const { code, stdout } = await runDarkroom(credit, variables, user.directory);
  assert.deepEqual([code, JSON.parse(stdout).account_id], [0, 'default']);
  const refused = await user.run('call', 'admin-list-accounts');
  assert.match(refused.stderr, /admin key/);
});

test('operations are listed by what they are about, and each explains its fields', async (t) => {
  const user = await newUser(t);
  const all = await user.run('call');
  assert.match(all.stdout, /^Images:$[\s\S]*^ {2}create-image /m);
  const one = await user.run('call', 'create-image', '--help');
  assert.match(one.stdout, /--aspect-ratio <string>[\s\S]*POST \/v1\/images/);
  const wrong = await user.run('call', 'create-imag');
  assert.deepEqual([wrong.code, /Did you mean create-image\?/.test(wrong.stderr)], [2, true]);
  const names = await user.run('call', '--plain');
  assert.ok(names.stdout.split('\n').includes('create-image'));
});

test('bash completes commands, options and operations', async (t) => {
  const user = await newUser(t);
  const { stdout: script } = await user.run('completion', 'bash');
  const complete = async (...words: string[]) => {
    const line = `${script}
darkroom() { printf 'create-image\\nget-image\\n'; }
COMP_WORDS=(${words.map((word) => `"${word}"`).join(' ')}); COMP_CWORD=${words.length - 1}; _darkroom; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return (await promisify(execFile)('bash', ['-c', line])).stdout.trim().split('\n');
  };
  assert.deepEqual(await complete('darkroom', 'bat'), ['batch']);
  assert.deepEqual(await complete('darkroom', 'keys', 'rot'), ['rotate']);
  assert.deepEqual(await complete('darkroom', 'keys', 'create', '--spend'), ['--spend-limit']);
  assert.deepEqual(await complete('darkroom', 'call', 'create'), ['create-image']);
  const other = await user.run('completion', 'fish');
  assert.deepEqual([other.code, other.stderr], [2, "<shell>: expected bash or zsh, found 'fish'\n"]);
});
