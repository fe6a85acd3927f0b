import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { it } from 'node:test';
import type { JsonObject } from '@darkroom-service/contract';
import type { TrustedFetch } from '@darkroom-service/media';
import { openFakeServer } from '../fakes/fake-server.ts';
import { type Checked, type Engine, EngineError } from '../src/engine.ts';
import { type Asked, isOrder } from './answer-questions.ts';

/**
 * Reading faults: responses that may replace an answer about an order that its upstream has. None says anything about
 * the order, so each engine gets every one of them for each of its questions, and must ask again.
 */

type Response = Awaited<ReturnType<TrustedFetch>>;
/** Function that replaces an answer. */
type Fault = (told: string) => { readonly status: number; readonly text: string };

const STATUSES = [408, 425, 429, 500, 502, 503, 504];
/** Statuses with a meaning only if the upstream itself sends them, which it does not with a page. */
const WITH_A_PAGE = [400, 401, 403, 404, 409, 410, 413, 422, 451, 520];
/** Statuses for a job that a replica, a cache or another region may lack for a while. */
const MISSING = [404, 410];
/** Forms in which gateways and frameworks write errors. */
const FORMS: readonly ((words: string) => unknown)[] = [
  (detail) => ({ detail }),
  (message) => ({ message }),
  (message) => ({ error: { message } }),
  (error) => ({ error }),
];
const PAGE = '<html><body><h1>Something went wrong</h1></body></html>';
const WORDS = 'Gateway Timeout';
const SUCCESSES = ['', PAGE, '[]', '{}', 'null', '{"hello":"world"}', `{"detail":"${WORDS}"}`];
const ODD_NUMBERS = ['NaN', '-Infinity', '1e999', '-1'];
const STATUS = 'x-status';

const FAULTS: Readonly<Record<string, Fault>> = Object.fromEntries([
  ...[...STATUSES, ...MISSING].flatMap((status) => [
    ...FORMS.map((form) => [
      `${status} ${JSON.stringify(form(WORDS))}`,
      () => ({ status, text: JSON.stringify(form(WORDS)) }),
    ]),
  ]),
  ...[...STATUSES, ...WITH_A_PAGE].map((status) => [`${status} as a page`, () => ({ status, text: PAGE })]),
  ...SUCCESSES.map((text) => [`200 ${text}`, () => ({ status: 200, text })]),
  ...[1, 0.9, 0.5].map((share) => [
    `cut to ${share} less one`,
    (told: string) => ({ status: 200, text: told.slice(0, Math.max(0, told.length * share - 1)) }),
  ]),
  ...ODD_NUMBERS.map((odd) => [`numbers of ${odd}`, (told: string) => ({ status: 200, text: withNumbers(told, odd) })]),
]);

/** Tests how an engine treats unreadable answers about an order. */
export function askOfReading(asked: () => Asked): void {
  it('asks again, at each of its questions about an order, after every answer that it cannot read', async () => {
    const { open, fetch, order } = asked();
    const questions = { count: 0, spoiled: -1, fault: (told: string) => ({ status: 200, text: told }) };
    const through = spoil(fetch, questions);
    const engine = open(through);
    for (const words of ['run=100000', '']) {
      const placed = order(words);
      const check = await ordered(engine, placed);
      const isMade = words === '';
      const expected = isMade ? 'succeeded' : 'pending';
      assert.equal((await check()).status, expected);
      questions.count = 0;
      await check();
      for (let at = 0, { count } = questions; at < count; at++)
        for (const [what, fault] of Object.entries(FAULTS)) {
          Object.assign(questions, { count: 0, spoiled: at, fault });
          const told = await check().catch((error: unknown) => {
            assert.ok(error instanceof EngineError, `${what}: ${error}`);
            assert.ok(!['invalid_input', 'content_policy'].includes(error.class), `${what}: ${error.message}`);
            return { status: 'pending' };
          });
          assert.ok(
            ['pending', expected, ...(engine.isFree === true ? ['lost'] : [])].includes(told.status),
            `${what}, question ${at + 1}: ${JSON.stringify(told)}`,
          );
        }
      questions.spoiled = -1;
      assert.equal((await check()).status, expected);
    }
    await engine.close?.();
  });

  it('reads answers about an order that have 40 KB of headers', async (t) => {
    const { open, fetch, order } = asked();
    const server = await openFakeServer(({ bytes, headers, reply }) =>
      reply(Number(headers[STATUS]), bytes, { 'content-security-policy': 'x'.repeat(40 * 1024) }),
    );
    t.after(() => server.stop());
    const engine = open(withLongHeaders(fetch, server.url));
    const check = await ordered(engine, order(''));
    assert.equal((await check()).status, 'succeeded');
    await engine.close?.();
  });
}

/** Passes on the upstream's answers with 40 KB of additional headers. */
function withLongHeaders(fetch: TrustedFetch, server: string): TrustedFetch {
  let isOrdered = false;
  return async (url, options) => {
    const isQuestion = isOrdered;
    isOrdered ||= isOrder(options.body);
    const response = await fetch(url, options);
    if (!isQuestion) return response;
    const told = { method: 'POST', body: await buffer(response.body), headers: { [STATUS]: String(response.status) } };
    return await fetch(server, { ...options, ...told, allowOrigins: [server] });
  };
}

/** Places an order. @returns a function that checks it, as if submitted so long ago that its upstream must know it */
async function ordered(engine: Engine, order: ReturnType<Asked['order']>): Promise<() => Promise<Checked>> {
  const context = { signal: AbortSignal.timeout(60_000), onProgress: () => {} };
  const started = await engine.start(order, context);
  assert.ok('operation' in started);
  const operation = { ...(started.operation as JsonObject), submittedAt: 0 };
  return async () => await engine.check(operation, order, context);
}

interface Questions {
  /** Number of questions asked. */
  count: number;
  /** Index of the question whose answer is spoiled, from 0; -1 = none. */
  spoiled: number;
  fault: Fault;
}

function spoil(fetch: TrustedFetch, questions: Questions): TrustedFetch {
  return async (url, options) => {
    if (isOrder(options.body) || questions.count++ !== questions.spoiled) return await fetch(url, options);
    const response: Response = await fetch(url, options);
    const { status, text } = questions.fault((await buffer(response.body)).toString());
    return { ...response, status, headers: {}, body: Readable.from([Buffer.from(text)]) };
  };
}

/** Replaces each number that is the value of a field. */
function withNumbers(text: string, odd: string): string {
  const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi;
  return text.replaceAll(stringOrNumber, (found) => (found.startsWith('"') ? found : odd));
}
