import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openPremises, type Premises } from './child-service.ts';
import { runKillChain, type Script, type Step } from './kill-chain.ts';

const IMAGES = '/v1/images';
const ACTIONS = `${IMAGES}/actions`;
const tiny = { model_id: 'sketch', prompt: 'a red fox in the snow', size: '64x64' };
const on = (...sources: string[]) => ({ ...tiny, image_urls: sources, wait_for_parent: true });

function scriptsOf({ keys, database }: Premises) {
  let batches = 0;
  const cancel = async (client: Parameters<Script>[0], taskId: string) => {
    const answer = await client.call(keys.test, 'POST', `${IMAGES}/${taskId}/cancel`);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  };
  /** A grid, a tile of it enlarged, and pictures of both: a tile is cut out when the order is released. */
  const chain: Script = async (client) => {
    const order = (path: string, body: object) => client.order(keys.live, path, body);
    const grid = await order(IMAGES, { model_id: 'sketch-grid', prompt: 'a red fox', aspect_ratio: '1:1' });
    const large = await order(ACTIONS, { parent_task_id: grid, action: 'upscale', index: 2, wait_for_parent: true });
    const last = await order(IMAGES, on(`task:${large}`, `task:${grid}#3`));
    for (const taskId of [grid, large, last]) {
      const task = await client.final(keys.live, IMAGES, taskId);
      assert.deepEqual([task.status, task.cost.state], ['succeeded', 'charged'], JSON.stringify(task.error));
    }
  };
  /** Of two parents one succeeds; then the other is canceled, and with it ends all that is behind. */
  const broken: Script = async (client) => {
    const order = (body: object) => client.order(keys.test, IMAGES, body);
    const stuck = await order({ ...tiny, simulate: { outcome: 'stuck' } });
    const quick = await order({ ...tiny, simulate: { seconds: 1 } });
    const child = await order(on(`task:${stuck}`, `task:${quick}`));
    const grandchild = await order(on(`task:${child}`));
    for (let left = 2; left > 1; await pause(50)) {
      const { body } = await client.call(keys.test, 'GET', `${IMAGES}/${child}`);
      left = body.data.waiting_for.length;
    }
    await cancel(client, stuck);
    for (const taskId of [child, grandchild]) {
      const task = await client.final(keys.test, IMAGES, taskId);
      assert.deepEqual([task.status, task.error.code, task.cost.state], ['failed', 'parent_failed', 'released']);
    }
  };
  /** The order that waits is canceled itself. */
  const given: Script = async (client) => {
    const stuck = await client.order(keys.test, IMAGES, { ...tiny, simulate: { outcome: 'stuck' } });
    const child = await client.order(keys.test, IMAGES, on(`task:${stuck}`));
    await cancel(client, child);
    await cancel(client, stuck);
    const task = await client.final(keys.test, IMAGES, child);
    assert.deepEqual([task.status, task.cost.state], ['canceled', 'released']);
    await client.final(keys.test, IMAGES, stuck);
  };
  /** More children than a portion has, so that the claim on their parent is renewed in between. */
  const many: Script = async (client) => {
    const parent = await client.order(keys.test, IMAGES, { ...tiny, simulate: { seconds: 1 } });
    const children: string[] = [];
    for (let count = 0; count < 25; count++) {
      const body = { ...on(`task:${parent}`), simulate: { outcome: 'content_policy' } };
      children.push(await client.order(keys.test, IMAGES, body));
    }
    for (const taskId of children)
      assert.equal((await client.final(keys.test, IMAGES, taskId)).error.code, 'content_policy');
  };
  /** A child has ended, but the row that it waits is left: a process of the version before does not delete it. */
  const left: Script = async (client) => {
    const ended = await client.order(keys.test, IMAGES, { ...tiny, simulate: { outcome: 'content_policy' } });
    await client.final(keys.test, IMAGES, ended);
    const stuck = await client.order(keys.test, IMAGES, { ...tiny, simulate: { outcome: 'stuck' } });
    const child = await client.order(keys.test, IMAGES, on(`task:${stuck}`));
    await database.write('leave_wait', async (trx) => {
      const wait = { parent_id: stuck, child_id: ended, met: 0 };
      await trx.run(trx.builder.insertInto('task_waits').values(wait));
    });
    await cancel(client, stuck);
    assert.equal((await client.final(keys.test, IMAGES, child)).error.code, 'parent_failed');
  };
  /** A batch whose orders use each other by their names. */
  const batch: Script = async (client) => {
    const image = (name: string, body: object) => ({ name, operation: 'images', body: { ...tiny, ...body } });
    const orders = [
      image('first', {}),
      image('second', { image_urls: ['order:first'] }),
      image('bad', { simulate: { outcome: 'content_policy' } }),
      image('behind', { image_urls: ['order:bad', 'order:second'] }),
      ...Array.from({ length: 110 }, (_, at) =>
        image(`o${at}`, { image_urls: ['order:first'], simulate: { outcome: 'content_policy' } }),
      ),
    ];
    const placed = await client.call(
      keys.test,
      'POST',
      '/v1/batches',
      { orders },
      { 'idempotency-key': `batch-${batches++}` },
    );
    assert.equal(placed.status, 201, JSON.stringify(placed.body));
    const path = new URL(placed.body.data.urls.self).pathname as `/v1/batches/${string}`;
    const read = async () => (await client.call(keys.test, 'GET', path)).body.data;
    let ended = await read();
    for (; ended.status === 'processing'; ended = await read()) await pause(50);
    const { status, counts, cost } = ended;
    assert.deepEqual([status, counts.succeeded, counts.failed, cost.held], ['partial', 2, 112, '0.00']);
  };
  return { chain, broken, given, many, left, batch };
}

for (const kind of ['sqlite', 'postgres'] as const)
  test(`killed at every commit of a chain on ${kind}, each of its orders still ends as it should, charged once`, async (t) => {
    await killAlongChains(t, kind === 'postgres');
  });

async function killAlongChains(t: TestContext, onPostgres: boolean): Promise<void> {
  const premises = await openPremises(t, [], onPostgres);
  const { chain, broken, given, many, left, batch } = scriptsOf(premises);
  const scripts: readonly (readonly [string, readonly Script[]])[] = [
    ['create_task', [chain, broken]],
    ['settle_succeeded', [chain]],
    ['children_claim', [chain, broken, many]],
    ['release_child', [chain]],
    ['parent_met', [broken]],
    ['parent_done', [chain]],
    ['settle_failed', [broken]],
    ['cancel_task', [given]],
    ['settle_canceled', [broken]],
    ['forget_child', [left]],
    ...['create_batch', 'place_portion', 'let_in', 'children_claim', 'release_child', 'parent_done', 'end_batch'].map(
      (name) => [name, [batch]] as const,
    ),
  ];
  const steps: Step[] = scripts.flatMap(([name, each]) =>
    (['before', 'after'] as const).map((moment) => ({
      kill: { name, moment },
      scripts: each,
      onceReady: true,
    })),
  );
  await runKillChain(t, premises, [], steps);
  const { read } = premises.database;
  assert.deepEqual(await read.all(read.builder.selectFrom('task_waits').selectAll()), [], 'nothing waits any more');
  assert.deepEqual(await read.all(read.builder.selectFrom('batch_portions').select('first')), []);
  const waiting = read.builder.selectFrom('work').select('subject').where('kind', '=', 'children');
  assert.deepEqual(await read.all(waiting), []);
}
