import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DONE, scriptedService } from '../../test/scripted-service.ts';

test('tasks of both kinds are listed together, newest first, and canceled and deleted where they belong', async (t) => {
  const film = { ...DONE, task_id: 'vid_02', type: 'video', created_at: '2026-11-20T03:07:00.000Z' };
  const service = await scriptedService(t, {
    'GET /v1/images?limit=20&status=succeeded': () => ({ data: { items: [DONE], has_more: false } }),
    'GET /v1/videos?limit=20&status=succeeded': () => ({ data: { items: [film], has_more: false } }),
    'POST /v1/videos/vid_02/cancel': () => ({ data: { ...film, status: 'canceled' } }),
    'DELETE /v1/images/img_01': () => ({ data: { task_id: 'img_01', deleted_at: '2026-11-20T03:08:00.000Z' } }),
  });
  assert.equal((await service.run('tasks', 'list', '--status', 'succeeded', '--plain')).stdout, 'vid_02\nimg_01\n');
  assert.equal(JSON.parse((await service.run('tasks', 'cancel', 'vid_02', '--json')).stdout).status, 'canceled');
  assert.equal((await service.run('tasks', 'delete', 'img_01')).stdout, 'img_01 is erased.\n');
});

/** A service with tasks of both types, alternating, that answers lists as the real one does. Task 1 is the oldest. */
async function serviceWithTasks(t: Parameters<typeof scriptedService>[0], count: number) {
  const digits = (number: number) => String(number).padStart(26, '0');
  const all = Array.from({ length: count }, (_, index) => {
    const type = index % 2 === 0 ? 'image' : 'video';
    return { ...DONE, type, task_id: `${type === 'image' ? 'img' : 'vid'}_${digits(index + 1)}` };
  }).reverse();
  const service = await scriptedService(t, {}, (seen) => {
    const url = new URL(seen.request.replace(/^GET /, ''), 'http://service');
    const limit = Number(url.searchParams.get('limit'));
    if (limit > 100) return { status: 400, error: { code: 'invalid_request', message: 'limit is too large' } };
    const after = url.searchParams.get('after') ?? '~';
    const found = all.filter((task) => url.pathname === `/v1/${task.type}s` && task.task_id < after);
    return { data: { items: found.slice(0, limit), has_more: found.length > limit } };
  });
  return { service, ids: all.map((task) => task.task_id) };
}

test('a list goes beyond the pages of the service, and continues after a task of either type', async (t) => {
  const { service, ids } = await serviceWithTasks(t, 430);
  const list = async (...words: string[]) =>
    (await service.run('tasks', 'list', '--plain', ...words)).stdout.trim().split('\n');
  assert.deepEqual(await list('--all'), ids);
  assert.deepEqual(await list('--limit', '250'), ids.slice(0, 250));
  assert.deepEqual(await list('--limit', '5', '--after', ids[2]!), ids.slice(3, 8));
  assert.deepEqual(await list('--limit', '5', '--after', ids[3]!), ids.slice(4, 9));
  const { stdout } = await service.run('tasks', 'list', '--limit', '3');
  assert.match(stdout, new RegExp(`There are more\\. Add --after ${ids[2]} `));
  assert.doesNotMatch((await service.run('tasks', 'list', '--all')).stdout, /There are more/);
  const json = JSON.parse((await service.run('tasks', 'list', '--all', '--type', 'video', '--json')).stdout);
  assert.deepEqual([json.items.length, json.has_more], [215, false]);
});

test('a list is filtered by end user and time, and wrong words are refused before a request', async (t) => {
  const { service } = await serviceWithTasks(t, 0);
  const filters = ['--end-user', 'ann', '--created-after', '2026-11-20T00:00:00Z', '--created-before', '1h'];
  assert.match((await service.run('tasks', 'list', '--type', 'image', ...filters)).stdout, /No such tasks/);
  const query = new URL(service.seen[0]!.request.replace(/^GET /, ''), 'http://service').searchParams;
  assert.deepEqual([query.get('end_user'), query.get('created_after')], ['ann', '2026-11-20T00:00:00Z']);
  assert.ok(Math.abs(Date.parse(query.get('created_before')!) - (Date.now() - 3_600_000)) < 600_000);
  for (const words of [
    ['--limit', '0'],
    ['--limit', 'many'],
    ['--after', 'yesterday'],
  ]) {
    const { code, stderr } = await service.run('tasks', 'list', ...words);
    assert.equal(code, 2);
    assert.match(stderr, new RegExp(`${words[0]}: expected .* found '${words[1]}'`));
  }
  assert.equal(service.seen.length, 1);
});
