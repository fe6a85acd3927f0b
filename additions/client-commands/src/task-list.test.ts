import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { type CommandUser, startCommandService } from '../../../test/helpers/command-service.ts';
import { runDarkroom } from '../../../test/helpers/run-darkroom.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';

const { service, newUser } = await startCommandService(wholeFile);
const IMAGE = { model_id: 'sketch', prompt: 'a fox', size: '256x256' };
const VIDEO = { model_id: 'sketch-motion', prompt: 'a boat', duration: 1 };

test('tasks of both kinds are listed together, newest first, and canceled and deleted where they belong', async (t) => {
  const user = await newUser(t);
  const image = await user.make('/v1/images', IMAGE);
  const failing = { ...VIDEO, simulate: { outcome: 'content_policy' } };
  const video = await user.make('/v1/videos', failing);
  const list = await user.run('tasks', 'list', '--status', 'succeeded,failed', '--plain');
  assert.equal(list.stdout, `${video.task_id}\n${image.task_id}\n`);
  await service.call(user.key, 'PUT', `/v1/images/${image.task_id}/tags`, { tags: ['hero'] });
  const tagged = await user.run('tasks', 'list', '--tag', 'hero', '--plain');
  assert.equal(tagged.stdout, `${image.task_id}\n`);
  const parent = (await service.call(user.key, 'POST', '/v1/images', { ...IMAGE, simulate: { seconds: 600 } })).data;
  const chained = { ...VIDEO, first_frame_url: `task:${parent.task_id}`, wait_for_parent: true };
  const waiting = (await service.call(user.key, 'POST', '/v1/videos', chained)).data;
  const canceled = await user.run('tasks', 'cancel', waiting.task_id, '--json');
  assert.equal(JSON.parse(canceled.stdout).status, 'canceled', canceled.stdout);
  assert.equal((await user.run('tasks', 'delete', image.task_id)).stdout, `${image.task_id} is erased.\n`);
});

test('an operator asks about, cancels and gives up the orders of others with an admin key', async (t) => {
  const user = await newUser(t);
  const order = async (outcome: object) =>
    (await service.call(user.key, 'POST', '/v1/images', { ...IMAGE, simulate: outcome })).data.task_id;
  const deed = async (name: string, id: string) => {
    const variables = { ...user.variables, DARKROOM_API_KEY: service.keys.admin };
    return await runDarkroom(['tasks', name, id, '--json'], variables, user.directory);
  };
  const slow = await order({ seconds: 600 });
  await until(
    () => user.read(`/v1/images/${slow}`),
    ({ status }) => status === 'processing',
  );
  const asked = await deed('ask', slow);
  assert.equal(JSON.parse(asked.stdout).standing.cause, 'upstream', asked.stdout + asked.stderr);
  const chained = { ...VIDEO, first_frame_url: `task:${slow}`, wait_for_parent: true };
  const waiting = (await service.call(user.key, 'POST', '/v1/videos', chained)).data.task_id;
  const canceled = await deed('cancel', waiting);
  assert.equal(JSON.parse(canceled.stdout).status, 'canceled', canceled.stdout + canceled.stderr);
  const refused = await deed('give-up', waiting);
  assert.match(refused.stdout, /not_stuck/);
  const stuck = await order({ outcome: 'stuck' });
  await until(
    () => user.read(`/v1/images/${stuck}`),
    ({ status }) => status === 'processing',
  );
  assert.equal(JSON.parse((await deed('give-up', stuck)).stdout).error.code, 'outcome_unknown');
  const asCustomer = await user.run('tasks', 'ask', stuck);
  assert.equal(asCustomer.code, 1);
  assert.match(asCustomer.stderr, /admin key/);
});

/** Places that many orders of both types, alternating, that fail at once. @returns the ids, newest first */
async function makeTasks(user: CommandUser, count: number): Promise<string[]> {
  const simulate = { outcome: 'content_policy' };
  const orders = Array.from({ length: count }, (_, index) =>
    index % 2 === 0
      ? { operation: 'images', body: { ...IMAGE, simulate } }
      : { operation: 'videos', body: { ...VIDEO, simulate } },
  );
  const { data } = await service.call(user.key, 'POST', '/v1/batches', { orders });
  await until(
    () => user.read(`/v1/batches/${data.batch_id}`),
    ({ status }) => status !== 'processing',
  );
  const ids: string[] = [];
  for (let after = ''; ; ) {
    const page = await user.read(`/v1/batches/${data.batch_id}/tasks?limit=100${after}`);
    ids.push(...page.items.map((task: { task_id: string }) => task.task_id));
    if (!page.has_more) break;
    after = `&after=${ids.at(-1)}`;
  }
  return ids.sort((a, b) => (a.slice(4) < b.slice(4) ? 1 : -1));
}

test('a list goes beyond the pages of the service, and continues after a task of either type', async (t) => {
  const user = await newUser(t);
  const ids = await makeTasks(user, 430);
  const list = async (...words: string[]) =>
    (await user.run('tasks', 'list', '--plain', ...words)).stdout.trim().split('\n');
  assert.deepEqual(await list('--all'), ids);
  assert.deepEqual(await list('--limit', '250'), ids.slice(0, 250));
  assert.deepEqual(await list('--limit', '5', '--after', ids[2]!), ids.slice(3, 8));
  assert.deepEqual(await list('--limit', '5', '--after', ids[3]!), ids.slice(4, 9));
  const { stdout } = await user.run('tasks', 'list', '--limit', '3');
  assert.match(stdout, new RegExp(`There are more\\. Add --after ${ids[2]} `));
  assert.doesNotMatch((await user.run('tasks', 'list', '--all')).stdout, /There are more/);
  const json = JSON.parse((await user.run('tasks', 'list', '--all', '--type', 'video', '--json')).stdout);
  assert.deepEqual([json.items.length, json.has_more], [215, false]);
});

test('a list is filtered by end user and time, and wrong words are refused before a request', async (t) => {
  const user = await newUser(t);
  const filters = ['--end-user', 'ann', '--created-after', '2026-11-20T00:00:00Z', '--created-before', '1h'];
  assert.match((await user.run('tasks', 'list', '--type', 'image', ...filters)).stdout, /No such tasks/);
  const query = new URL(user.proxy.seen[0]!.path, 'http://service').searchParams;
  assert.deepEqual([query.get('end_user'), query.get('created_after')], ['ann', '2026-11-20T00:00:00Z']);
  assert.ok(Math.abs(Date.parse(query.get('created_before')!) - (Date.now() - 3_600_000)) < 600_000);
  for (const words of [
    ['--limit', '0'],
    ['--limit', 'many'],
    ['--after', 'yesterday'],
  ]) {
    const { code, stderr } = await user.run('tasks', 'list', ...words);
    assert.equal(code, 2);
    assert.match(stderr, new RegExp(`${words[0]}: expected .* found '${words[1]}'`));
  }
  assert.equal(user.proxy.seen.length, 1);
});
