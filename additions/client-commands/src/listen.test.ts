import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { installation, type RunningCommand, runDarkroom, startDarkroom } from '../../../test/helpers/run-darkroom.ts';
import { startTestService } from '../../../test/helpers/service.ts';
import { createStoppableEngine } from '../../../test/helpers/swift-engine.ts';
import { startReceiver } from '../../../test/helpers/webhook-receiver.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';

const service = await startTestService(wholeFile, { service: { engines: [createStoppableEngine()] } });

/** A key of its own, whose events no other test causes. */
async function world(t: TestContext) {
  const { directory } = await installation(t);
  const { key } = await service.issueKey({ mode: 'test' });
  const as = (key: string) => ({ DARKROOM_URL: service.url, DARKROOM_API_KEY: key });
  return {
    key,
    run: (key: string, ...words: string[]) => runDarkroom(words, as(key), directory),
    /** Starts `darkroom listen` and returns once it watches. */
    async listen(...words: string[]): Promise<RunningCommand> {
      const command = startDarkroom(['listen', ...words], as(key), directory);
      t.after(() => command.process.kill('SIGKILL'));
      await once(createInterface(command.process.stderr!), 'line');
      return command;
    },
  };
}

test('events reach a local server, signed like webhooks, however the task ends', async (t) => {
  const { key, run, listen } = await world(t);
  const receiver = await startReceiver(t);
  const before = await service.make(key, '/v1/images', { model_id: 'sketch', prompt: 'before' });
  const command = await listen('--forward-to', receiver.url);
  const secret = (await run(key, 'listen', '--print-secret')).stdout.trim();

  const types = ['task.succeeded', 'task.failed', 'task.canceled'];
  const triggered = await Promise.all(types.map((type) => run(key, 'trigger', type, '--plain')));
  await receiver.count(3);

  const events = receiver.received.map(({ headers, body }) => new Webhook(secret).verify(body, headers)) as {
    type: string;
    data: { task_id: string; urls: object; status: string; mode: string };
  }[];
  assert.deepEqual(events.map((event) => event.type).sort(), types.toSorted());
  for (const { type, data } of events) {
    assert.equal(data.task_id, triggered[types.indexOf(type)]?.stdout.trim());
    assert.notEqual(data.task_id, before.task_id);
    const { data: task } = await service.call(key, 'GET', `/v1/images/${data.task_id}`);
    assert.deepEqual(Object.keys(data).sort(), Object.keys(task).sort());
    assert.deepEqual([data.status, data.mode], [type.slice('task.'.length), 'test']);
  }
  command.process.kill('SIGINT');
  const { code, stdout } = await command.ended;
  assert.equal(code, 0);
  assert.match(stdout, /\d\d:\d\d:\d\d {2}task\.failed {2}img_\w+ {2}204 in \d+ ms/);
});

test('past events are repeated under the same id, and a refusing receiver makes the command fail', async (t) => {
  const { key, run } = await world(t);
  const receiver = await startReceiver(t, (attempt) => (attempt > 2 ? 500 : 200));
  const { task_id: id } = await service.make(key, '/v1/videos', {
    model_id: 'sketch-motion',
    prompt: 'x',
    duration: 1,
    resolution: '480p',
    simulate: { outcome: 'content_policy' },
  });
  const replay = (...words: string[]) =>
    run(key, 'listen', '--forward-to', receiver.url, '--no-wait', '--json', '--replay', ...words);
  const hour = await replay('1h');
  assert.deepEqual([hour.code, hour.stderr], [0, '']);
  const { data, ...event } = JSON.parse(hour.stdout);
  assert.deepEqual([data.task_id, event.type, event.forwarded.status], [id, 'task.failed', 200]);
  assert.equal((await replay(id)).code, 0);
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  assert.deepEqual(ids, [event.webhook_id, event.webhook_id]);
  const refused = await replay(id);
  assert.deepEqual([refused.code, JSON.parse(refused.stdout).forwarded.status], [1, 500]);
});

test('listening goes on while the receiver is away', async (t) => {
  const { key, run, listen } = await world(t);
  const command = await listen('--forward-to', 'http://127.0.0.1:1/hook');
  const lines = createInterface(command.process.stdout!);
  for (let round = 0; round < 2; round++) {
    const told = once(lines, 'line');
    await run(key, 'trigger', 'task.failed');
    assert.match((await told)[0], /task\.failed {2}img_\w+ {2}The connection broke|Nothing listens there/);
  }
});

test('trigger refuses a live key, and both commands name wrong words', async (t) => {
  const { key, run } = await world(t);
  const live = await run(service.keys.live, 'trigger', 'task.failed');
  assert.equal(live.code, 2);
  assert.match(live.stderr, /is a live key\. darkroom trigger needs a test key/);
  const wrong = [
    ['trigger', 'task.done'],
    ['listen', '--forward-to', 'localhost:3000'],
    ['listen', '--no-wait'],
    ['listen', '--replay', 'yesterday', '--no-wait'],
  ];
  for (const words of wrong) assert.equal((await run(key, ...words)).code, 2, words.join(' '));
});

test('the help says that the command sees the tasks of its own key, and another key sees none of them', async (t) => {
  const { key, run } = await world(t);
  const { stdout } = await run(key, 'listen', '--help');
  assert.match(
    stdout.replaceAll(/\s+/g, ' '),
    /a key reads only its own tasks\..* start the command once for each key/,
  );
  await service.make(key, '/v1/images', { model_id: 'sketch', prompt: 'a fox' });
  const { key: other } = await service.issueKey({ mode: 'test' });
  const listen = ['listen', '--replay', '1h', '--no-wait', '--json'];
  assert.match((await run(key, ...listen)).stdout, /task\.succeeded/);
  assert.equal((await run(other, ...listen)).stdout, '');
});
