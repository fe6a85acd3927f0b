import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, type TestContext, test } from 'node:test';
import { startTestService } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';
import { installPackages, openPythonClient, PYTHON_CLIENT } from './python.ts';

/** The Python client: its own tests against a running service, its types, and its packages in an empty environment. */

/** Settings of the machine, such as of proxies, without the test runner's: the machine's own Node may be older. */
const MACHINE = { ...process.env, NODE_OPTIONS: '' };
const FILES_AT_ONCE = 4;
const FIRST_ORDER = `
import json
import darkroom
with darkroom.Darkroom() as client:
    fox = client.images.generate(model_id="sketch", prompt="a red fox in the snow", resolution="0.5K")
    content = fox.content().read()
print(json.dumps({"file": darkroom.__file__, "cost": fox.cost["state"], "missing": fox.output["bytes"] - len(content)}))`;

const service = await startTestService(wholeFile, { env: { DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8' } });
const { key } = await service.issueKey({ mode: 'test', accountView: true });
const variables = { DARKROOM_URL: service.url, DARKROOM_API_KEY: key };
const python = await openPythonClient();

// They wait for most of their time.
describe('the tests of the Python client', { concurrency: FILES_AT_ONCE }, () => {
  for (const file of globSync('tests/test_*.py', { cwd: PYTHON_CLIENT }).sort())
    test(`clients/python/${file} passes against a running service`, async (t) => {
      const client = await copyOfClient(t);
      // Files that run at once would rotate each other's signing secrets.
      const accountId = await service.createAccount(null);
      const own = await service.issueKey({ mode: 'test', accountId, accountView: true });
      const env = { ...variables, DARKROOM_API_KEY: own.key, ...python.variables };
      await run(client, ['-m', 'pytest', '-q', file], env);
    });
});

test('mypy and pyright find no fault in the Python client with their strictest rules, nor does ruff', async (t) => {
  const client = await copyOfClient(t);
  await run(client, ['-m', 'mypy', '--cache-dir', join(client, 'cache')]);
  await run(client, ['-m', 'ruff', 'check', '--no-cache']);
  await run(client, ['-m', 'ruff', 'format', '--check', '--no-cache']);
  // It gets the type checker itself through npm, which may need settings of the machine.
  await run(client, ['-m', 'pyright', '--pythonpath', python.path], MACHINE);
});

test('wheel and sdist of the Python client install into an empty environment, with their types, and order an image', async (t) => {
  const client = await copyOfClient(t);
  await run(client, ['-m', 'build', '--no-isolation', '--outdir', 'dist'], MACHINE);
  const made = (await readdir(join(client, 'dist'))).sort();
  assert.deepEqual(
    made.map((name) => name.replace(/-\d+\.\d+\.\d+/, '')),
    ['darkroom_client-py3-none-any.whl', 'darkroom_client.tar.gz'],
  );
  for (const name of made) {
    const environment = join(client, name.endsWith('.whl') ? 'with-wheel' : 'with-sdist');
    await run(client, ['-m', 'venv', '--without-pip', environment]);
    const own = process.platform === 'win32' ? ['Scripts', 'python.exe'] : ['bin', 'python'];
    const interpreter = join(environment, ...own);
    await installPackages(interpreter, [join('dist', name)], { cwd: client });
    const { file, ...result } = JSON.parse(await run(environment, ['-c', FIRST_ORDER], variables, interpreter));
    assert.deepEqual(result, { cost: 'charged', missing: 0 });
    assert.ok(file.startsWith(environment), file);
    readFileSync(join(file, '../py.typed'));
  }
});

/** The tools write beside the sources. */
async function copyOfClient(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-python-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await cp(PYTHON_CLIENT, folder, { recursive: true });
  return folder;
}

async function run(
  folder: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  command: string = python.path,
): Promise<string> {
  const child = spawn(command, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, complaint, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  assert.equal(code, 0, `${args.join(' ')}\n${output}\n${complaint}`);
  return output;
}
