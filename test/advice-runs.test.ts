import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { ADDITIONS } from '../src/additions/list.ts';
import { createProgram } from '../src/cli/command-line.ts';
import { addServiceCommands } from '../src/cli/operator-commands.ts';
import { adviceOf, kindOf } from './helpers/advised-commands.ts';
import { childEnvironment } from './helpers/child-environment.ts';
import { createGatedEngine } from './helpers/gated-engine.ts';
import { startTestService } from './helpers/service.ts';
import { wholeFile } from './helpers/whole-file.ts';

/** Commands that messages advise, run as they are printed in the situation that prints them. */

/** Why other advised commands are not run here. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'retention apply --days': 'additions/alerts/test/full-disk-advice.test.ts runs what the alert says',
  'engines try --max-spend': 'orders at a vendor and costs money',
  'examples make --max-spend': 'additions/examples/test/make-examples.test.ts',
  'invitations create --account --email --role': 'needs an OpenID Connect provider',
  login: 'needs a browser: test/login-command.test.ts',
  'login --mode': 'needs a browser: test/login-command.test.ts',
  listen: 'runs until it is ended, as its own tests do',
  'listen --forward-to': 'runs until it is ended, as its own tests do',
  'listen --print-secret': 'needs an account webhook: the tests of listen',
  'local run': 'starts a model of several GB',
  'local show': 'needs a pulled model',
  pull: 'downloads a model of several GB',
  migrate: 'continues a half moved database: test/copy-database.test.ts',
  'doctor --test-alert': 'needs a receiver of alerts: additions/alerts',
  'doctor --production --test-alert': 'needs a receiver of alerts: additions/alerts',
  action: 'needs a grid: additions/client-commands/src/order-commands.test.ts',
  call: 'additions/client-commands/src/call/call.test.ts',
  completion: 'additions/client-commands/src/call/call.test.ts',
  serve: 'runs until it is ended: src/cli/serve.test.ts',
};

/** Commands that call the service with an admin key. */
const ADMIN_COMMANDS = [
  'darkroom privacy export default ./all',
  'darkroom privacy erase default --end-user ada',
  'darkroom privacy erasures',
  'darkroom tasks ask img_01kafx2r5gq3v8m1t0z6y4n7wd',
  'darkroom tasks give-up img_01kafx2r5gq3v8m1t0z6y4n7wd',
];

const program = createProgram(ADDITIONS, false, addServiceCommands);
const ran = new Set<string>();
const engine = createGatedEngine();
const service = await startTestService(wholeFile, {
  env: { DARKROOM_DATABASE_URL: '' },
  service: { engines: [engine] },
});
const directory = await mkdtemp(join(tmpdir(), 'darkroom advice-'));
const bin = join(directory, 'bin');
await mkdir(bin);
const MAIN = join(import.meta.dirname, '..', 'src', 'main.ts');
await writeFile(join(bin, 'darkroom'), `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`);
await chmod(join(bin, 'darkroom'), 0o755);
after(() => rm(directory, { recursive: true, force: true }));

interface Result {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Both outputs. */
  readonly said: string;
}

function start(command: string, variables: Readonly<Record<string, string>> = {}) {
  for (const [, line = ''] of command.matchAll(/\bdarkroom ([^)|>]+)/g))
    ran.add(kindOf(program, line.replace(/^-- /, '').trim().split(/\s+/)));
  const { PATH = '' } = process.env;
  const child = spawn('bash', ['-c', `exec ${command}`], {
    cwd: directory,
    env: {
      ...childEnvironment(),
      DARKROOM_URL: service.url,
      DARKROOM_API_KEY: service.keys.test,
      PATH: `${bin}:${PATH}`,
      DARKROOM_DATA_DIR: service.config.dataDirectory,
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]).then(
    ([[code], stdout, stderr]): Result => ({ code, stdout, stderr, said: `${stdout}\n${stderr}` }),
  );
  return { child, ended };
}

const run = async (command: string, variables?: Readonly<Record<string, string>>) =>
  await start(command, variables).ended;

/** Returns the command that a text advises. @param beginning of the command, without the name of the program */
function advised(said: string, beginning: string): string {
  const found = new RegExp(`darkroom ${beginning}(?:[^\\n.,;]|\\.(?!\\s|$))*`).exec(said);
  assert.ok(found, `expected 'darkroom ${beginning} …', found: ${said}`);
  return found[0].trim();
}

const FOX = `darkroom image 'a fox' -m sketch --size 512x512`;
const exists = (name: string) => access(join(directory, name)).then(() => true);

async function succeeds(command: string, variables?: Readonly<Record<string, string>>): Promise<Result> {
  const result = await run(command, variables);
  assert.equal(result.code, 0, `${command}\n${result.said}`);
  return result;
}

test('who is interrupted while an order runs can wait for it, or cancel it and see how it ends', async () => {
  const waiting = start(`${FOX} --simulate seconds=3600`);
  await until(
    async () => (await service.call(service.keys.test, 'GET', '/v1/images')).data.items.length,
    (count) => count === 1,
  );
  waiting.child.kill('SIGINT');
  const { said } = await waiting.ended;
  const again = start(advised(said, 'tasks wait'));
  const canceled = await succeeds(advised(said, 'tasks cancel'));
  const ends = run(advised(canceled.said, 'tasks wait'));
  for (const { said: end } of await Promise.all([again.ended, ends])) assert.match(end, /was canceled/);
});

test('who asks for the output of an order too early, or cannot save it, gets it by the command of the message', async () => {
  const held = 'hold a fox';
  const id = (await succeeds(`${FOX.replace('a fox', held)} --no-wait --plain`)).stdout.trim();
  const early = await run(`darkroom tasks download ${id} -o 'my fox.png'`);
  assert.notEqual(early.code, 0);
  engine.letEnd(held);
  await succeeds(advised(early.said, 'tasks wait'));
  assert.ok(await exists('my fox.png'));
});

test('who names no model finds one in the list that the message advises', async () => {
  const unknown = await run('darkroom models nothing-like-it');
  assert.notEqual(unknown.code, 0);
  assert.match(unknown.said, /darkroom models lists the models/);
  const list = await succeeds('darkroom models');
  assert.match(list.said, /sketch/);
  await succeeds('darkroom models sketch');
});

test('who has no key makes one by the command of the message', async () => {
  const refused = await run('darkroom models', { DARKROOM_API_KEY: '' });
  const [, own = ''] = /export DARKROOM_API_KEY=\$\(([^)]+)\)/.exec(refused.said) ?? [];
  const made = await succeeds(own.replace('npm run -s darkroom --', 'darkroom'));
  await succeeds('darkroom models', { DARKROOM_API_KEY: made.stdout.trim() });
  const empty = { DARKROOM_DATA_DIR: join(directory, 'empty') };
  await succeeds('darkroom keys create --mode test', empty);
  const [{ key_id: id }] = JSON.parse((await succeeds('darkroom keys list --json', empty)).stdout).items;
  await succeeds(`darkroom keys revoke ${id}`, empty);
});

test('a batch goes on, is saved and is canceled by the commands of its messages', async () => {
  const line = { operation: 'images', body: { model_id: 'sketch', prompt: 'a fox', size: '512x512' } };
  await writeFile(join(directory, 'orders.jsonl'), `${JSON.stringify(line)}\n`);
  const placed = await succeeds('darkroom batch orders.jsonl --max-price 20 -o "my batch" --no-wait');
  await succeeds(advised(placed.said, 'batch -o'));
  await succeeds('darkroom batch orders.jsonl --max-price 20 -o out');
  const cancel = /darkroom batch .*--cancel/.exec(placed.said)?.[0];
  assert.ok(cancel);
  const canceled = await succeeds(cancel);
  await succeeds(advised(canceled.said, 'batch -o'));
});

test('a hold ends by the command that doctor advises, and a copy is held by the one of the refusal', async () => {
  const refused = await run('darkroom release --as copy');
  assert.equal(refused.code, 2);
  await succeeds(advised(refused.said, 'hold'));
  const held = await run('darkroom doctor');
  assert.match(held.said, /Nothing is sent/);
  await succeeds(advised(held.said, 'release'));
  assert.doesNotMatch((await run('darkroom doctor --audit')).said, /Nothing is sent/);
});

test('what a line of doctor counts is listed by the command of that line', async () => {
  const nowhere = { FAL_KEY: 'id:secret', DARKROOM_FAL_URL: 'http://127.0.0.1:9' };
  const short = await run('darkroom doctor', nowhere);
  assert.match(short.said, /^week +prices: /m);
  assert.doesNotMatch(short.said, /routes at fal are unknown/);
  const whole = await run(advised(short.said, 'doctor --details'), nowhere);
  assert.match(whole.said, /^ +with your keys, the costs of \d+ routes at fal are unknown: /m);
});

test('a backup that other tools made is recorded by the command that doctor advises for production', async () => {
  const lacking = await run('darkroom doctor --production');
  assert.match(lacking.said, /production backup: expected .*\n +found none/);
  await succeeds(advised(lacking.said, 'backup --record'));
  assert.match((await run('darkroom doctor --production')).said, /ok +production backup/);
});

test('a backup is restored by the command of its message, and the copy is released by the one of the restore', async () => {
  const made = await succeeds('darkroom backup "my backup"');
  const restored = { DARKROOM_DATA_DIR: join(directory, 'restored') };
  const back = await succeeds(advised(made.said, 'restore'), restored);
  const held = await run('darkroom doctor', restored);
  assert.match(held.said, /Nothing is sent/);
  const released = await succeeds(advised(back.said, 'release --as successor').replace(/ or --as copy$/, ''), restored);
  assert.match(released.said, /A worker .* ends the hold/);
});

test('an erasure is listed by the command of its message, exported before, and repeated after a restore', async () => {
  const admin = { DARKROOM_API_KEY: service.keys.admin };
  await service.make(service.keys.test, '/v1/images', { model_id: 'sketch', prompt: 'a fox', end_user: 'ada' });
  for (const command of ADMIN_COMMANDS)
    for (const [key, said] of [
      ['', /needs an admin key\. Create one: export DARKROOM_API_KEY=\$\(.* keys create --mode admin --plain\)$/m],
      [service.keys.test, /needs an admin key in DARKROOM_API_KEY\. Create one: .*--mode admin/],
    ] as const) {
      const refused = await run(command, { DARKROOM_API_KEY: key });
      assert.notEqual(refused.code, 0, command);
      assert.match(refused.said, said, command);
      assert.doesNotMatch(refused.said, /--mode test|darkroom login/, command);
    }
  assert.match((await run('darkroom models', admin)).said, /needs a test or live key .*--mode test --plain/);
  await succeeds('darkroom privacy export default ./all', admin);
  const erased = await succeeds('darkroom privacy erase default --end-user ada', admin);
  // An operator's own machine has no data directory.
  const elsewhere = { ...admin, DARKROOM_DATA_DIR: join(directory, 'nothing') };
  await succeeds(`${advised(erased.said, 'privacy erasures')} > erasures.jsonl`, elsewhere);
  const lines = (await readFile(join(directory, 'erasures.jsonl'), 'utf8')).trim().split('\n');
  assert.equal(lines.length, 1);
  const known = await succeeds('darkroom privacy repeat erasures.jsonl', elsewhere);
  assert.match(known.said, /0 of 1 erasures are repeated/);
  const older = { ...JSON.parse(lines[0] ?? ''), erasure_id: 'era_01kafx2r5gq3v8m1t0z6y4n7wd' };
  await writeFile(join(directory, 'older.jsonl'), JSON.stringify(older));
  await service.make(service.keys.test, '/v1/images', { model_id: 'sketch', prompt: 'a fox', end_user: 'ada' });
  assert.match((await succeeds('darkroom privacy repeat older.jsonl', elsewhere)).said, /1 of 1 erasures are repeated/);
});

test('the examples of the commands run as the help prints them', async () => {
  const admin = { DARKROOM_API_KEY: service.keys.admin };
  await succeeds('darkroom alerts --state open', admin);
  await succeeds('darkroom audit export --from 2026-11-01 > audit.jsonl');
  await succeeds('darkroom costs --by engine --from 2026-11-01 --to 2026-12-01');
  await succeeds('darkroom local list');
  await succeeds('darkroom price sketch --resolution 2K');
  await succeeds('darkroom requests --key key_01h --failed');
  await succeeds('darkroom sketch explain "three red boats on a lake at dusk, watercolour"');
  await succeeds('darkroom trigger task.failed');
  const id = (await succeeds(`${FOX} --no-wait --plain`)).stdout.trim();
  await succeeds(`darkroom tasks show ${id}`);
});

test('every command that a message advises was run, or says here why not', async () => {
  const advice = await adviceOf();
  const missing = advice.flatMap(({ where, line }) => {
    const kind = kindOf(program, line.trim().split(/\s+/));
    return ran.has(kind) || ELSEWHERE[kind] !== undefined ? [] : [`${where}: ${kind}`];
  });
  assert.deepEqual(missing, []);
  const kinds = new Set(advice.map(({ line }) => kindOf(program, line.trim().split(/\s+/))));
  assert.deepEqual(
    Object.keys(ELSEWHERE).filter((kind) => !kinds.has(kind)),
    [],
  );
});
