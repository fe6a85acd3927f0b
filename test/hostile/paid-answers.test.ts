import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { serveHttp, until } from '@darkroom-service/testing';
import fc from 'fast-check';
import { assertBooks, assertReconciliation } from '../crash/books.ts';
import { type ChildService, openPremises } from '../crash/child-service.ts';
import { answerWith, POISONOUS_ANSWERS, type PoisonousAnswer, pictureOf, sendPoison } from './poisonous-answers.ts';

/** Answers that are paid for and hostile to their reader, at the same time as fifty good ones of the same engine. */

interface Ordered {
  /** Null for a good answer. */
  readonly poison: PoisonousAnswer | null;
  readonly prompt: string;
  readonly picture: Buffer;
  readonly id: string;
}

const GOOD = 50;
const ALL = [...Array(GOOD).fill(null), ...POISONOUS_ANSWERS] as readonly (PoisonousAnswer | null)[];
const IMAGES = '/v1/images';
const DATABASES = ['sqlite', 'postgres'].filter((one) => one === (process.env.DARKROOM_TEST_DATABASE ?? one));
/** The service needs 250 MB for the good ones, and three times the largest answer that it reads, of 128 MB. */
const MOST_MEGABYTES = 1_024;
const PAST_THE_LEASES_MS = 61_000;
/** Hundreds of megabytes are sent and read. */
const TIMEOUT_MS = 600_000;

/** Opens an installation with a blocking engine that is paid and answers when the test says so. */
async function open(t: TestContext, onPostgres: boolean) {
  const waiting = new Map<string, ServerResponse>();
  const taken: string[] = [];
  const origin = await serveHttp(t, async (request, response) => {
    if (request.method !== 'POST') return void response.end('{"object":"list","data":[]}');
    const { prompt } = (await json(request)) as { prompt: string };
    taken.push(prompt);
    waiting.set(prompt, response);
  });
  const variables = {
    OPENAI_API_KEY: 'sk-fakefakefakefake',
    DARKROOM_OPENAI_URL: origin,
    DARKROOM_OPENAI_CONCURRENCY: String(ALL.length),
  };
  const premises = await openPremises(t, [], onPostgres);
  const { live } = premises.keys;

  async function order(child: ChildService, poison: PoisonousAnswer | null, prompt: string): Promise<Ordered> {
    const body = { model_id: 'gpt-image-2', prompt, quality: 'low' };
    const answer = await child.call(live, 'POST', IMAGES, body);
    assert.equal(answer.status, 201);
    return { poison, prompt, picture: await pictureOf(prompt), id: answer.body.data.task_id };
  }

  async function send({ poison, prompt, picture }: Ordered): Promise<void> {
    const response = waiting.get(prompt);
    assert.ok(response !== undefined, prompt);
    if (poison?.last !== 'stall') waiting.delete(prompt);
    if (poison === null) response.end(answerWith(picture));
    else await sendPoison(response, poison, picture);
  }

  async function assertEnd(child: ChildService, { poison, prompt, picture, id }: Ordered, mayBeLost = false) {
    const { body } = await until(
      () => child.call(live, 'GET', `${IMAGES}/${id}`, undefined, { prefer: 'wait=45' }),
      (answer) => !['queued', 'processing'].includes(answer.body.data.status),
    );
    const { status, error, cost, outputs } = body.data;
    const end = poison?.end ?? 'succeeded';
    const isLost = mayBeLost && poison !== null && error?.code === 'outcome_unknown';
    if (!isLost) assert.equal(error?.code ?? status, end, `${prompt}: ${error?.message}`);
    assert.equal(cost.state, status === 'succeeded' ? 'charged' : 'released', prompt);
    if (poison === null) assert.equal(outputs[0]?.sha256, createHash('sha256').update(picture).digest('hex'), prompt);
  }

  return {
    premises,
    start: () => premises.start({ variables }),
    /** Orders all at once, in this order. @returns once the upstream has all of them */
    async orderAll(child: ChildService, places: readonly number[], words: string): Promise<Ordered[]> {
      const ordered = await Promise.all(
        places.map((place) => order(child, ALL[place] ?? null, `${ALL[place]?.name ?? `good ${place}`}, ${words}`)),
      );
      await until(
        () => waiting.size,
        (size) => size === places.length,
      );
      return ordered;
    },
    sendAll: (orders: readonly Ordered[]) => Promise.all(orders.map(send)),
    /**
     * Asserts the end of each order. What stalls does so until all others have ended.
     * @param mayBeLost whether a kill may have come before a poisonous answer was read
     */
    async assertEnds(child: ChildService, orders: readonly Ordered[], mayBeLost = false): Promise<void> {
      const stalls = ({ poison }: Ordered) => poison?.last === 'stall';
      for (const one of orders) if (!stalls(one)) await assertEnd(child, one, mayBeLost);
      for (const response of waiting.values()) response.destroy();
      waiting.clear();
      for (const one of orders.filter(stalls)) await assertEnd(child, one, mayBeLost);
      assert.equal(child.hasEnded(), false);
      assert.equal(new Set(taken).size, taken.length, 'nothing is ordered twice');
      await assertBooks(premises);
      await assertReconciliation(premises);
    },
  };
}

const anyOrder = fc.shuffledSubarray([...ALL.keys()], { minLength: ALL.length });

for (const database of DATABASES) {
  test(`poisonous answers among ${GOOD} good ones lose none of them, and each is charged once: ${database}`, {
    timeout: TIMEOUT_MS,
  }, async (t) => {
    const { start, orderAll, sendAll, assertEnds } = await open(t, database === 'postgres');
    const child = await start();
    await fc.assert(
      fc.asyncProperty(anyOrder, async (places) => {
        const orders = await orderAll(child, places, 'at once');
        await sendAll(orders);
        await assertEnds(child, orders);
      }),
      { numRuns: 1, endOnFailure: true },
    );
    const most = await mostMegabytes(child);
    t.diagnostic(`${most.toFixed(0)} MB at most`);
    assert.ok(most < MOST_MEGABYTES, `${most} MB`);
  });

  test(`poisonous results that come while the database is away, before a kill, lose none of ${GOOD} good ones: ${database}`, {
    timeout: TIMEOUT_MS,
  }, async (t) => {
    const { premises, start, orderAll, sendAll, assertEnds } = await open(t, database === 'postgres');
    const child = await start();
    const delivered = [...ALL.keys()].filter((place) => ALL[place]?.end !== 'outcome_unknown');
    const orders = await orderAll(child, delivered, 'before a kill');
    child.setDatabaseAway(true);
    await sendAll(orders);
    const good = orders.filter(({ poison }) => poison === null);
    await until(
      () => readdir(join(premises.directory, 'data', 'spool'), { recursive: true }).catch(() => []),
      (names) => good.every(({ id }) => names.some((name) => name.includes(id) && name.endsWith('answer.json'))),
    );
    child.process.kill('SIGKILL');
    await child.ended;
    premises.aheadMs += PAST_THE_LEASES_MS;
    await assertEnds(await start(), orders, true);
  });
}

/** Returns the most memory that the process ever had; 0 where the system does not tell. */
async function mostMegabytes({ process: { pid } }: ChildService): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmHWM:\s*(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
}
