import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PROGRAM = `
  const { compileCacheVariable, saveCompiled } = await import(${JSON.stringify(join(import.meta.dirname, 'compile-cache.ts'))});
  saveCompiled();
  console.log(JSON.stringify(compileCacheVariable()));`;

async function variableUnder(env: Record<string, string>): Promise<unknown> {
  return JSON.parse((await run(process.execPath, ['--input-type=module', '-e', PROGRAM], { env })).stdout);
}

test('a child process gets the compile cache of its parent, and no other', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-compiled-'));
  t.after(() => rm(directory, { recursive: true }));
  assert.deepEqual(await variableUnder({}), {});
  const given = { NODE_COMPILE_CACHE: directory };
  assert.deepEqual(await variableUnder(given), given);
  assert.deepEqual(await variableUnder({ ...given, DARKROOM_SECRET: 'x' }), given);
});

test('compiled code is kept in a directory of the own user, and in no other', async (t) => {
  const parent = await mkdtemp(join(tmpdir(), 'darkroom-compiled-'));
  t.after(() => rm(parent, { recursive: true }));
  const directory = join(parent, 'compiled');
  const program = `
    const { keepCompiled } = await import(${JSON.stringify(join(import.meta.dirname, 'compile-cache.ts'))});
    await keepCompiled(${JSON.stringify(directory)});
    await import(${JSON.stringify(join(import.meta.dirname, '..', 'machine-fault.ts'))});`;
  const start = () => run(process.execPath, ['--input-type=module', '-e', program], { env: {} });
  await start();
  assert.equal((await readdir(directory)).length, 1);
  if (process.platform === 'win32') return;
  await rm(directory, { recursive: true });
  await mkdir(directory);
  await chmod(directory, 0o770);
  await start();
  assert.deepEqual(await readdir(directory), []);
});
