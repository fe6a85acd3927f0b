import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { Webhook } from 'standardwebhooks';
import { startTestService, type TaskAnswer, type TestService } from './helpers/service.ts';
import { wholeFile } from './helpers/whole-file.ts';

/** The receivers of docs/webhooks.md, as programs of their own that a real service delivers to. */

const ROOT = join(import.meta.dirname, '..');
const PAGE = readFileSync(join(ROOT, 'docs', 'webhooks.md'), 'utf8');
const hasPython = spawnSync('python3', ['--version']).status === 0;
const RECEIVERS = [
  { name: 'docs/webhooks/receiver.ts', command: process.execPath, skip: false },
  {
    name: 'docs/webhooks/receiver.py',
    command: 'python3',
    skip: !hasPython && 'there is no python3',
  },
] as const;
const ORDER = { model_id: 'sketch', prompt: 'a fox', simulate: { outcome: 'content_policy' } };
const OLD_MS = 6 * 60_000;

/** What does not arrive has failed at once. */
const service = await startTestService(wholeFile, {
  env: { DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8' },
  service: { tempo: { deliveryPausesMs: [] } },
});

for (const { name, command, skip } of RECEIVERS) {
  test(`${name} believes what is signed and young, and handles each event once, across restarts and a rotation`, {
    skip,
  }, async (t) => {
    const directory = await mkdtemp(join(tmpdir(), 'darkroom-receiver-'));
    t.after(() => rm(directory, { recursive: true }));
    const { key } = await service.issueKey({
      mode: 'test',
      accountId: await service.createAccount(null),
      accountView: true,
    });
    const secrets = async () => (await service.call(key, 'GET', '/v1/account/webhooks/secret')).data.items;
    const start = (...accepted: string[]) =>
      startReceiver(t, command, name, {
        PATH: process.env.PATH ?? '',
        DARKROOM_URL: service.url,
        DARKROOM_API_KEY: key,
        DARKROOM_WEBHOOK_SECRETS: accepted.join(','),
        PORT: '0',
        INBOX: join(directory, 'inbox.db'),
      });
    const [{ secret: old }] = await secrets();
    const first = await start(old);
    const task = await service.make(key, '/v1/images', { ...ORDER, webhook_url: first.url });
    await first.handles(task);
    const event = await delivered(service, key, task, 1);

    await service.call(key, 'POST', `/v1/account/webhooks/deliveries/${event.delivery_id}/redeliver`);
    await delivered(service, key, task, 2);

    const body = JSON.stringify({ type: 'task.failed', timestamp: new Date().toISOString(), data: task });
    const genuine = signed(old, 'whd_genuine', body);
    const tampered = body.replace('"failed"', '"canceled"');
    assert.notEqual(tampered, body);
    for (const [what, sent, headers] of [
      ['another body', tampered, genuine],
      ['another id', body, { ...genuine, 'webhook-id': 'whd_other' }],
      ['an old time', body, signed(old, 'whd_old', body, -OLD_MS)],
      ['a time to come', body, signed(old, 'whd_new', body, OLD_MS)],
      ['another secret', body, signed(`whsec_${'AAAA'.repeat(8)}`, 'whd_strange', body)],
      ['no signature', body, {}],
    ] as const)
      assert.equal(await first.post(sent, headers), 401, what);
    assert.equal(await first.post(body, genuine), 204);
    await first.handles(task, 2);

    await service.call(key, 'POST', '/v1/account/webhooks/secret/rotate');
    const [{ secret: fresh }] = await secrets();
    const during = await service.make(key, '/v1/images', { ...ORDER, webhook_url: first.url });
    await first.handles(during);
    await first.stop();

    const second = await start(fresh, old);
    const after = await service.make(key, '/v1/images', { ...ORDER, webhook_url: second.url });
    await second.handles(after);
    assert.equal(await second.post(body, genuine), 204, 'a repetition after a restart');
    for (const [id, secret] of [
      ['whd_by_fresh', fresh],
      ['whd_by_old', old],
    ] as const)
      assert.equal(await second.post(body, signed(secret, id, body)), 204);
    await second.handles(task, 2);
    await second.stop();
    assert.deepEqual(first.handled, [task, task, during].map(line));
    assert.deepEqual(second.handled, [after, task, task].map(line));
  });
}

test('the command of the page sends what has failed again', async (t) => {
  const { key } = await service.issueKey({ mode: 'test' });
  const refusing = await listen(t, 500);
  const tasks = [];
  for (let count = 0; count < 2; count++)
    tasks.push(await service.make(key, '/v1/images', { ...ORDER, webhook_url: refusing.url }));
  const states = async () =>
    (await service.call(key, 'GET', '/v1/account/webhooks/deliveries')).data.items.map((one) => one.status);
  await until(states, (found) => found.join() === 'failed,failed');
  refusing.answer(204);
  const command = /^```bash\n(.*?)^```$/ms.exec(PAGE)?.[1] ?? assert.fail('the page has no command');
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;
  const bash = spawn('bash', ['-euo', 'pipefail', '-c', command], {
    env: { PATH, DARKROOM_URL: service.url, DARKROOM_API_KEY: key },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  assert.deepEqual(await once(bash, 'exit'), [0, null]);
  await until(states, (found) => found.join() === 'delivered,delivered');
  assert.equal(refusing.requests, 4);
});

async function listen(t: TestContext, status: number) {
  let answers = status;
  let requests = 0;
  const server = createServer((request, response) => {
    requests++;
    request.resume();
    response.writeHead(answers).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    get requests() {
      return requests;
    },
    answer(changed: number) {
      answers = changed;
    },
  };
}

const line = ({ task_id, status }: TaskAnswer) => `handled ${task_id} ${status}`;

async function delivered({ call }: TestService, key: string, task: TaskAnswer, attempts: number) {
  const path = `/v1/account/webhooks/deliveries?task_id=${task.task_id}` as const;
  return await until(
    async () => (await call(key, 'GET', path)).data.items[0],
    (one) => one.status === 'delivered' && one.attempts.length === attempts,
  );
}

function signed(secret: string, id: string, body: string, aheadMs = 0): Record<string, string> {
  const at = new Date(Date.now() + aheadMs);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
}

async function startReceiver(t: TestContext, command: string, name: string, env: Record<string, string>) {
  const child = spawn(command, [join(ROOT, name)], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  t.after(() => child.kill('SIGKILL'));
  const handled: string[] = [];
  const listening = Promise.withResolvers<string>();
  void ended.then(([code]) => listening.reject(new Error(`${name} ended with ${code}`)));
  createInterface({ input: child.stdout }).on('line', (said) => {
    if (said.startsWith('listens on ')) listening.resolve(said.slice('listens on '.length));
    else handled.push(said);
  });
  const url = await listening.promise;
  return {
    url,
    handled,
    async handles(task: TaskAnswer, times = 1) {
      await until(
        () => handled.filter((one) => one === line(task)).length,
        (count) => count >= times,
      );
    },
    async post(body: string, headers: Record<string, string>) {
      return (await fetch(url, { method: 'POST', body, headers })).status;
    },
    /**
     * Waits until every event is marked as done: a receiver that is killed before that handles the event a second time.
     */
    async stop() {
      const inbox = new DatabaseSync(env.INBOX ?? '', { readOnly: true, timeout: 5_000 });
      await until(
        () => inbox.prepare('select count(*) as open from inbox where done = 0').get()?.open,
        (count) => count === 0,
      );
      inbox.close();
      child.kill('SIGTERM');
      await ended;
    },
  };
}
