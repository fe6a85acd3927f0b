import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { childEnvironment } from '../helpers/child-environment.ts';
import { installation } from '../helpers/run-darkroom.ts';

const KILL = pathToFileURL(join(import.meta.dirname, 'kill-at-commits.ts')).href;
const MAIN = join(import.meta.dirname, '..', '..', 'src', 'main.ts');
const MOST_COMMITS = 10;
const run = promisify(execFile);

/**
 * Runs the command until it survives all of its commits, each time with a key of its own: it is killed one moment
 * later than before, and then run again to its end.
 * @param judge gets what the repetition printed, and whether the first run had committed
 */
async function killAtEachCommit(
  directory: string,
  words: readonly string[],
  judge: (printed: Record<string, unknown>, kills: number) => Promise<void>,
): Promise<void> {
  for (let survives = 0; survives < 2 * MOST_COMMITS; survives++) {
    const once = [...words, '--json', '--idempotency-key', `${words.join(' ')} ${survives}`];
    const env = { ...childEnvironment(), DARKROOM_TEST_SURVIVES: `${survives}` };
    const first = await run(process.execPath, ['--import', KILL, MAIN, ...once], { cwd: directory, env }).then(
      () => 'ended',
      ({ signal }: { readonly signal: string | null }) => signal,
    );
    const { stdout } = await run(process.execPath, [MAIN, ...once], { cwd: directory, env: childEnvironment() });
    await judge(JSON.parse(stdout), survives + 1);
    if (first === 'ended') return;
    assert.equal(first, 'SIGKILL');
  }
  assert.fail(`a command with more than ${MOST_COMMITS} commits`);
}

test('a credit by a command that is killed at any commit is given once by its repetition', async (t) => {
  const { directory, json } = await installation(t);
  await json('accounts', 'create', 'acme');
  await killAtEachCommit(directory, ['accounts', 'credit', 'acme', '2.50'], async (printed, times) => {
    assert.equal(printed.balance, (2.5 * times).toFixed(2));
  });
});

test('a key that is made or rotated by a killed command is one key, and a secret that nobody saw is told to be lost', async (t) => {
  const { directory, json } = await installation(t);
  await killAtEachCommit(directory, ['keys', 'create', '--mode', 'test'], async (printed, times) => {
    assert.equal((await json('keys', 'list')).items.length, times);
    if (printed.key === null) assert.match(String(printed.message), /rotate the key 'key_\w+' with a new/);
  });
  const { key_id: keyId } = await json('keys', 'create', '--mode', 'test');
  const acts = async () => (await json('audit', 'list')).items.filter(({ act }) => act === 'key.rotate').length;
  await killAtEachCommit(directory, ['keys', 'rotate', String(keyId)], async (printed, times) => {
    assert.equal(printed.key_id, keyId);
    assert.equal(await acts(), times);
  });
});
