import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { callTool, connectOverStdio, dataOf, textOf } from './helpers/mcp-clients.ts';
import { startOidcProvider } from './helpers/oidc-provider.ts';
import { type RunningCommand, runDarkroom, startDarkroom } from './helpers/run-darkroom.ts';
import { startTestService } from './helpers/service.ts';
import { visit } from './helpers/signed-in.ts';
import { wholeFile } from './helpers/whole-file.ts';

/** `darkroom login` and the commands that work with it, each in a process of its own. */

const provider = await startOidcProvider(wholeFile);
const service = await startTestService(wholeFile, {
  env: { ...provider.env, DARKROOM_OIDC_ROLES: 'designers=creator@default' },
});
provider.serve(service.url);
provider.people.set('ada', { sub: 'ada', name: 'Ada', email: 'ada@example.com', groups: ['designers'] });
provider.signsIn = 'ada';
const directory = await mkdtemp(join(tmpdir(), 'darkroom-login-'));
wholeFile.after(() => rm(directory, { recursive: true, force: true }));
const variables = { DARKROOM_URL: service.url, XDG_CONFIG_HOME: directory };
const run = (...words: string[]) => runDarkroom(words, variables, directory);

/** The address that the command asks to open. */
async function addressOf({ process: child }: RunningCommand): Promise<string> {
  let told = '';
  child.stderr?.on('data', (data) => {
    told += String(data);
  });
  return await until(
    async () => /http\S+\/console\/sign-in\S+/.exec(told)?.[0] ?? '',
    (address) => address !== '',
  );
}

/** What the page that asks for a click leads to. */
async function linkBack(address: string): Promise<string> {
  const { status, text } = await visit(new Map(), address);
  assert.equal(status, 200, text);
  assert.match(text, /Let the command line in\?/);
  return (/href="(http:\/\/127\.0\.0\.1:\d+[^"]+)"/.exec(text)?.[1] ?? '').replaceAll('&amp;', '&');
}

/** Sends a request target as it is, which `fetch` would refuse. */
async function statusOfTarget({ hostname, port }: URL, path: string): Promise<number | undefined> {
  const [response] = await once(request({ hostname, port, path }).end(), 'response');
  response.resume();
  return response.statusCode;
}

test('a person logs in by the browser, orders without a key, and logs out', async () => {
  const login = startDarkroom(['login', '--no-browser'], variables, directory);
  const back = await linkBack(await addressOf(login));
  const forged = new URL(back);
  forged.searchParams.set('state', 'somebody-elses');
  assert.equal((await fetch(forged)).status, 404);
  assert.equal(await statusOfTarget(forged, '//['), 404, 'no address at all');
  assert.equal((await fetch(back)).status, 200);
  const { code, stdout, stderr } = await login.ended;
  assert.equal(code, 0, stderr);
  assert.match(stdout, /as Ada, creator in default/);

  const file = join(directory, 'darkroom', 'logins.json');
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(join(directory, 'darkroom')), ['logins.json']);
  const [saved] = Object.values(JSON.parse(await readFile(file, 'utf8')) as Record<string, { session: string }>);
  assert.ok(saved !== undefined && !stdout.includes(saved.session) && !stderr.includes(saved.session));

  const order = await run('image', 'a fox', '-m', 'sketch', '--resolution', '0.5K', '--json', '-o', 'fox.png');
  assert.equal(order.code, 0, order.stderr + order.stdout);
  const elsewhere = await runDarkroom(['tasks', 'list'], { ...variables, DARKROOM_URL: `${service.url}/` }, directory);
  assert.equal(elsewhere.code, 0, elsewhere.stderr);
  assert.equal((await run('logout')).code, 0);
  const after = await run('tasks', 'list');
  assert.equal(after.code, 1);
  assert.match(after.stderr, /darkroom login/);
  const { status } = await service.call(
    null,
    'POST',
    '/console/session/bearer',
    { account_id: 'default', mode: 'test' },
    {
      cookie: `__Secure-darkroom-session=${saved.session}`,
    },
  );
  assert.equal(status, 401);
});

test('an agent orders for a person who has logged in, and learns of the logout', async (t) => {
  const login = startDarkroom(['login', '--no-browser'], variables, directory);
  assert.equal((await fetch(await linkBack(await addressOf(login)))).status, 200);
  assert.equal((await login.ended).code, 0);
  const agent = await connectOverStdio(t, { url: service.url, variables: { XDG_CONFIG_HOME: directory } });
  const order = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };
  assert.equal(dataOf(await callTool(agent, 'create_picture', order)).status, 'succeeded');
  assert.equal((await run('logout')).code, 0);
  const refused = await callTool(agent, 'create_picture', { ...order, prompt: 'another fox' });
  assert.equal(refused.isError, true);
  assert.match(textOf(refused), /signed out.*darkroom login/);
});

test('a code is worth nothing to another process, and once to its own', async () => {
  const login = startDarkroom(['login', '--no-browser', '--mode', 'live', '--json'], variables, directory);
  const back = new URL(await linkBack(await addressOf(login)));
  const code = back.searchParams.get('code') ?? '';
  const trade = (verifier: string) => service.call(null, 'POST', '/console/session/command-line', { code, verifier });
  assert.equal((await trade('x'.repeat(43))).status, 403);
  const asCookie = await service.call(null, 'GET', '/console/session', undefined, {
    cookie: `__Secure-darkroom-session=${code}`,
  });
  assert.equal((asCookie.data as { person: unknown }).person, null);
  assert.equal((await fetch(back)).status, 200);
  const { code: exit, stdout } = await login.ended;
  assert.equal(exit, 0);
  assert.equal(JSON.parse(stdout).mode, 'live');
  assert.equal((await trade('x'.repeat(43))).status, 403);
});

test('of several accounts none is taken unasked, and the choice is remembered', async () => {
  const accountId = await service.createAccount(null);
  const { data } = await service.call(service.keys.admin, 'GET', '/admin/v1/people');
  const id = data.items.find(({ name }) => name === 'Ada')?.person_id ?? '';
  const join = { account_id: accountId, role: 'viewer' };
  assert.equal((await service.call(service.keys.admin, 'PUT', `/admin/v1/people/${id}/role`, join)).status, 200);
  assert.equal((await run('logout')).code, 0);
  const login = async (...words: string[]) => {
    const command = startDarkroom(['login', '--no-browser', ...words], variables, directory);
    assert.equal((await fetch(await linkBack(await addressOf(command)))).status, 200);
    return await command.ended;
  };
  const unasked = await login();
  assert.notEqual(unasked.code, 0);
  assert.match(unasked.stderr, new RegExp(`Your accounts: .*${accountId}.*--account`));
  const { data: after } = await service.call(service.keys.admin, 'GET', '/admin/v1/people');
  assert.equal(after.items.find(({ person_id }) => person_id === id)?.sessions, 0, 'no session is left behind');
  const chosen = await login('--account', 'default');
  assert.equal(chosen.code, 0, chosen.stderr);
  const again = await login();
  assert.match(again.stdout, /creator in default/, again.stderr);
});
