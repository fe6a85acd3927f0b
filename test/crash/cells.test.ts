import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@darkroom-service/engines/fakes/parts';
import { S3_CREDENTIALS, startS3Server, until } from '@darkroom-service/testing';
import { findHaproxy, openHaproxy } from '../helpers/haproxy.ts';
import { wholeFile } from '../helpers/whole-file.ts';
import { assertBooks, assertReconciliation, readTasks } from './books.ts';
import { type ChildService, openPremises } from './child-service.ts';

/** Two cells behind a real HAProxy with the configuration of deploy/cells/, in one bucket. */

const haproxy = await findHaproxy(wholeFile);
const options = { skip: haproxy === null && 'needs haproxy, which the Debian package of that name contains' };
const CELLS = ['eu1', 'us1'] as const;
const ENOUGH = 20;
/** The connection of a client ended without an answer, as HAProxy does it when a server dies under a request. */
const LOST = 0;
/** What a client sees of a cell that dies under its request, or is away. */
const AWAY = [LOST, 502, 503];

async function openCells(t: TestContext) {
  assert.ok(haproxy !== null);
  const s3 = await startS3Server();
  t.after(() => s3.close());
  const bucket = await s3.makeBucket();
  const ports = [await freePort(), await freePort()] as const;
  const proxy = await openHaproxy(t, haproxy, [[ports[0]], [ports[1]]]);
  const cells = await Promise.all(
    CELLS.map(async (name, index) => {
      const premises = await openPremises(t, [{ name: 'paid-polled', workMs: 100 }], false);
      const variables = {
        DARKROOM_CELL: name,
        DARKROOM_PORT: String(ports[index]),
        DARKROOM_PUBLIC_URL: proxy.url,
        DARKROOM_TRUST_PROXY: '127.0.0.1',
        DARKROOM_STORAGE_URL: `s3://${bucket}/${name}?region=us-east-1&endpoint=${encodeURIComponent(s3.endpoint)}`,
        AWS_ACCESS_KEY_ID: S3_CREDENTIALS.accessKeyId,
        AWS_SECRET_ACCESS_KEY: S3_CREDENTIALS.secretAccessKey,
      };
      const start = () => premises.start({ variables });
      const child = await start();
      const wish = { account_id: 'default', mode: 'live', read_rpm: 0 };
      const issued = await child.call(premises.keys.admin, 'POST', '/admin/v1/keys', wish);
      return { name, premises, child, start, key: issued.body.data.key ?? '' };
    }),
  );
  const call: ChildService['call'] = (key, method, path, ...rest) =>
    cells[0]!.child.call(key, method, (path.startsWith('http') ? path : proxy.url + path) as typeof path, ...rest);
  for (const { key } of cells)
    await until(
      () => call(key, 'GET', '/v1/account'),
      ({ status }) => status === 200,
    );
  return { cells, call, proxy };
}

test(
  'every address that a cell gives out leads to it through the proxy, and its older keys and ids to the first cell',
  options,
  async (t) => {
    const { cells, call, proxy } = await openCells(t);
    for (const { name, key, premises } of cells) {
      const order = { model_id: 'paid-polled', prompt: 'a fox' };
      const { body } = await call(key, 'POST', '/v1/images', order, { prefer: 'wait=60' });
      const task = body.data;
      assert.equal(task.status, 'succeeded');
      const share = await call(key, 'POST', '/v1/shares', { task_id: task.task_id });
      const orders = [{ operation: 'images', body: order }];
      const batch = await call(key, 'POST', '/v1/batches', { orders });
      const lent = await call(key, 'POST', '/v1/client_tokens', { end_user: 'ada' });
      const withKey = ['/v1/account', '/mcp', '/openai/v1/models', `/v1/batches/${batch.body.data.batch_id}`];
      for (const path of [...withKey.map((each) => `${each}?by=${name}-key`), task.urls.self]) {
        await call(key, 'GET', path);
        assert.equal(await proxy.backendOf(path.replace(proxy.url, '')), `cell_${name}`, path);
      }
      const ordered = await call(lent.body.data.token, 'POST', '/v1/images', order);
      assert.equal(ordered.status, 201);
      const open = [task.outputs[0].url, task.urls.events, share.body.data.url, share.body.data.file_url];
      for (const address of open) {
        assert.equal((await call(null, 'GET', address)).status < 400, true, address);
        assert.equal(await proxy.backendOf(address.replace(proxy.url, '')), `cell_${name}`, address);
      }
      const page = `/console/session?at=${name}`;
      // `fetch` sends no other host name than that of its address.
      const asked = get(proxy.url + page, { headers: { host: `${name}.pictures.example.com` } });
      const [{ statusCode }] = (await once(asked, 'response')) as [IncomingMessage];
      asked.destroy();
      assert.equal(statusCode, 200);
      assert.equal(await proxy.backendOf(page), `cell_${name}`);
      const callback = `/callbacks/paid-polled/${task.task_id}.1.${'A'.repeat(43)}`;
      await call(null, 'POST', callback, {});
      assert.equal(await proxy.backendOf(callback), `cell_${name}`);
      await call(premises.keys.live, 'GET', `/v1/models?of=${name}`);
      assert.equal(await proxy.backendOf(`/v1/models?of=${name}`), 'cell_eu1', 'a key without a cell');
      assert.equal((await call(key, 'GET', task.urls.self)).status, 200);
    }
    const [eu, us] = cells;
    assert.equal((await call(eu!.premises.keys.live, 'GET', '/v1/account')).status, 200);
    assert.equal((await call(us!.premises.keys.live, 'GET', '/v1/account')).status, 401);
    assert.equal((await call(null, 'GET', '/v1/catalog')).status, 200);
    assert.equal(await proxy.backendOf('/v1/catalog'), 'any_cell');
  },
);

test(
  'each cell is killed in turn: the other goes on, and none of its own orders is lost, doubled or denied',
  options,
  async (t) => {
    const { cells, call } = await openCells(t);
    const confirmed = cells.map((): string[] => []);
    const refusals = cells.map((): number[] => []);
    let ends = false;
    const order = async (cell: number, name: string) => {
      const body = { model_id: 'paid-polled', prompt: name };
      for (;;) {
        const answer = await call(cells[cell]!.key, 'POST', '/v1/images', body, { 'idempotency-key': name }).catch(
          () => null,
        );
        if (answer?.status === 201) return void confirmed[cell]!.push(answer.body.data.task_id);
        refusals[cell]!.push(answer?.status ?? LOST);
        await pause(20);
      }
    };
    const customers = [0, 1, 0, 1].map(async (cell, index) => {
      for (let count = 0; !ends; count++) await order(cell, `order-${index}-${count}`);
    });
    const untilMore = async (cell: number) => {
      const before = confirmed[cell]!.length;
      await until(
        () => confirmed[cell]!.length,
        (count) => count >= before + ENOUGH,
      );
    };

    for (const [index, cell] of cells.entries()) {
      const other = 1 - index;
      await Promise.all([untilMore(index), untilMore(other)]);
      const refused = refusals[other]!.length;
      cell.child.process.kill('SIGKILL');
      await cell.child.ended;
      const [last = ''] = confirmed[index]!.slice(-1);
      await untilMore(other);
      const asked = await call(cell.key, 'GET', `/v1/images/${last}`);
      assert.ok(AWAY.includes(asked.status), `an order of a killed cell is not denied: ${asked.status}`);
      assert.equal(refusals[other]!.length, refused, 'the other cell refused nothing');
      cell.child = await cell.start();
      await untilMore(index);
    }
    ends = true;
    await Promise.all(customers);
    assert.deepEqual(
      refusals.flat().filter((status) => !AWAY.includes(status)),
      [],
    );

    for (const [index, { key, premises }] of cells.entries()) {
      const tasks = await until(
        () => readTasks(premises.database),
        (rows) => rows.every(({ step }) => step === 'final'),
      );
      assert.deepEqual(tasks.map(({ id }) => id).sort(), confirmed[index]!.toSorted());
      await assertBooks(premises);
      await assertReconciliation(premises);
      for (const { id, status } of tasks.filter((task) => task.status === 'succeeded')) {
        const { body } = await call(key, 'GET', `/v1/images/${id}`);
        assert.equal(body.data.status, status);
        assert.equal((await fetch(body.data.outputs[0].url)).status, 200);
      }
      t.diagnostic(`${tasks.length} orders, ${refusals[index]!.length} answers while the cell was away`);
    }
  },
);
