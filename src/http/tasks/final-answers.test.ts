import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ServiceError, type TaskView } from '@darkroom-service/contract';
import fc from 'fast-check';
import { openTestHttp, type TestHttp } from '../../../test/helpers/http.ts';
import type { OrderingKey } from '../../accounts/api-key.ts';
import { findKeyById } from '../../accounts/keyring.ts';
import { eraseTask } from '../../erasure/erase-task.ts';
import { refundTask } from '../../tasks/refund-task.ts';
import { findTaskRow, viewFoundTask } from '../../views/find-tasks.ts';
import { createFinalAnswers } from './final-answers.ts';

const ORDER = { model_id: 'sketch', prompt: 'a red fox' };

/** Orders a picture and ends it as a runner would. @returns its id */
async function succeed({ services, as }: TestHttp, key: string, order: object = {}): Promise<string> {
  const created = await as(key, { method: 'POST', url: '/v1/images', payload: { ...ORDER, ...order } });
  const { task_id: taskId } = created.json().data;
  const file = `tasks/${taskId.slice(4, 10)}/${taskId}-1-output.png`;
  const stored = await services.storage.put(file, Buffer.from('0123456789'), {
    contentType: 'image/png',
    maxBytes: 1_000_000,
  });
  const output = { ...stored, contentType: 'image/png', width: 10, height: 10 };
  await services.database.write('test', (trx) =>
    trx.run(
      trx.builder
        .updateTable('tasks')
        .set({ status: 'succeeded', step: 'final', progress: 100, charged: 10_000, claimable: 0 })
        .set((set) => ({ revision: set('revision', '+', 1), completed_at: services.clock.now() }))
        .set({ outputs_json: JSON.stringify([output]) })
        .where('id', '=', taskId),
    ),
  );
  return taskId;
}

/** How often the row of a task is read whole from now on. */
function countReads(t: TestContext, { services }: TestHttp): () => number {
  const { mock } = t.mock.method(services.database.read, 'first');
  const nameOf = (query: unknown) => (query as { readonly name?: string }).name;
  return () => mock.calls.filter(({ arguments: [query] }) => nameOf(query) === 'find_task').length;
}

async function look(http: TestHttp, key: string, taskId: string, headers: Record<string, string> = {}) {
  const answer = await http.as(key, { url: `/v1/images/${taskId}`, headers });
  return { status: answer.statusCode, headers: answer.headers, task: answer.json().data as TaskView, answer };
}

test('a final task that is retrieved again is answered alike, with the time of the answer, without reading it anew', async (t) => {
  const http = await openTestHttp(t);
  const { key } = await http.issue();
  const taskId = await succeed(http, key, { metadata: { order: 'ünïcode' } });
  const reads = countReads(t, http);
  const first = await look(http, key, taskId);
  const again = await look(http, key, taskId, { prefer: 'wait=5' });
  assert.equal(reads(), 1);
  assert.deepEqual(again.task, first.task);
  assert.deepEqual(Object.keys(again.answer.json()), ['code', 'data', 'message', 'timestamp']);
  assert.match(again.answer.json().timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.equal(again.headers['preference-applied'], 'wait=5');
  for (const name of ['content-type', 'cache-control', 'etag'])
    assert.deepEqual(again.headers[name], first.headers[name], name);
  assert.equal(again.headers['content-type'], 'application/json; charset=utf-8');
});

test('whatever changes a final task shows in its next retrieval', async (t) => {
  const http = await openTestHttp(t);
  const { key } = await http.issue();
  const taskId = await succeed(http, key);
  const { services, clock } = http;
  const before = await look(http, key, taskId);
  await look(http, key, taskId);
  const by = { actor: 'operator', address: null, now: clock.now(), createId: services.createId };
  await refundTask(services, by, taskId);
  const refunded = await look(http, key, taskId);
  assert.deepEqual([before.task.cost.state, refunded.task.cost.state], ['charged', 'refunded']);
  clock.advance(12 * 3_600_000);
  const later = await look(http, key, taskId);
  assert.notEqual(later.task.outputs[0]?.url, refunded.task.outputs[0]?.url);
  assert.notEqual(later.task.urls.events, refunded.task.urls.events);
  await http.as(key, { method: 'DELETE', url: `/v1/images/${taskId}` });
  const gone = await http.as(key, { url: `/v1/images/${taskId}` });
  assert.deepEqual([gone.statusCode, gone.json().error.code], [404, 'task_not_found']);
});

test('a final task that its owner has retrieved is found by nobody else, nor as a video', async (t) => {
  const http = await openTestHttp(t);
  const [mine, other] = [await http.issue(), await http.issue()];
  const taskId = await succeed(http, mine.key, { end_user: 'ann' });
  await look(http, mine.key, taskId);
  const tokenOf = async (endUser: string) => {
    const payload = { end_user: endUser };
    return (await http.as(mine.key, { method: 'POST', url: '/v1/client_tokens', payload })).json().data.token as string;
  };
  for (const [key, url] of [
    [other.key, `/v1/images/${taskId}`],
    [await tokenOf('bob'), `/v1/images/${taskId}`],
    [mine.key, `/v1/videos/${taskId}`],
  ] as const)
    assert.equal((await http.as(key, { url })).statusCode, 404, url);
  assert.equal((await look(http, await tokenOf('ann'), taskId)).status, 200);
});

type Step = 'look' | 'refund' | 'erase' | 'delete' | 'half a day' | 'other prices';
const STEPS: readonly Step[] = ['look', 'look', 'refund', 'erase', 'delete', 'half a day', 'other prices'];
/** The API key of a request is looked up again after this time. */
const KEY_MS = 2_000;

test('a final task is never answered as it was before a refund, an erasure, a deletion, new prices or new addresses', async (t) => {
  const http = await openTestHttp(t);
  const { services, clock } = http;
  const { key, key_id: keyId } = await http.issue();
  const other = await http.issue();
  const tokenOf = async (endUser: string) =>
    (await http.as(key, { method: 'POST', url: '/v1/client_tokens', payload: { end_user: endUser } })).json().data
      .token;
  let [ann, bob] = [await tokenOf('ann'), await tokenOf('bob')];
  const change = {
    look: async () => {},
    refund: async (taskId: string) =>
      await refundTask(
        services,
        { actor: 'operator', address: null, now: clock.now(), createId: services.createId },
        taskId,
      ).catch((error: unknown) => assert.ok(error instanceof ServiceError, String(error))),
    erase: async (taskId: string) => await eraseTask(services, taskId, { deletedAt: null }),
    delete: async (taskId: string) => {
      await http.as(key, { method: 'DELETE', url: `/v1/images/${taskId}` });
    },
    async 'half a day'() {
      clock.advance(12 * 3_600_000);
      // The earlier ones have expired.
      [ann, bob] = [await tokenOf('ann'), await tokenOf('bob')];
    },
    async 'other prices'() {
      const price_rules_json = JSON.stringify([{ models: '*', multiplier: `1.${clock.now() % 1000}` }]);
      await services.database.write('test', (trx) =>
        trx.run(trx.builder.updateTable('accounts').set({ price_rules_json }).where('id', '=', 'default')),
      );
      clock.advance(KEY_MS + 1);
    },
  } satisfies Record<Step, (taskId: string) => Promise<unknown>>;
  /** The task without anything that is kept; null if the key does not have it. */
  const shownToKey = async (taskId: string): Promise<TaskView | null> => {
    const owner = (await findKeyById(services.database.read, keyId)) as OrderingKey;
    const row = await findTaskRow(services.database.read, owner, 'image', taskId).catch(() => null);
    return row === null ? null : await viewFoundTask(services, owner, row);
  };
  const sequences = fc.array(fc.constantFrom(...STEPS), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(sequences, async (steps) => {
      const taskId = await succeed(http, key, { end_user: 'ann' });
      const url = `/v1/images/${taskId}`;
      let isErased = false;
      for (const step of ['look', ...steps] as const) {
        await change[step](taskId);
        isErased ||= step === 'erase' || step === 'delete';
        const expected = await shownToKey(taskId);
        for (const secret of [key, ann]) {
          const answer = await http.as(secret, { url });
          assert.equal(answer.statusCode, expected === null ? 404 : 200, step);
          if (expected !== null) assert.deepEqual(answer.json().data, JSON.parse(JSON.stringify(expected)), step);
          assert.equal(answer.body.includes(ORDER.prompt), !isErased, step);
        }
        for (const secret of [other.key, bob]) assert.equal((await http.as(secret, { url })).statusCode, 404, step);
      }
    }),
    { numRuns: 8 },
  );
});

test('what is kept of final tasks has a limit in bytes, beyond which the oldest goes', async (t) => {
  const http = await openTestHttp(t);
  const { key, key_id: keyId } = await http.issue();
  const { services } = http;
  const owner = (await findKeyById(services.database.read, keyId)) as OrderingKey;
  const [older, newer] = [await succeed(http, key), await succeed(http, key)];
  const answers = createFinalAnswers(8_000);
  for (const id of [older, newer]) {
    const row = await findTaskRow(services.database.read, owner, 'image', id);
    answers.keep(services, owner, row, await viewFoundTask(services, owner, row));
  }
  const found = [older, newer].map((id) => answers.find(services, owner, 'image', id));
  assert.deepEqual(
    (await Promise.all(found)).map((answer) => answer !== null),
    [false, true],
  );
});
