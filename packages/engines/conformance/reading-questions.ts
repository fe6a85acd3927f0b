import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { TrustedFetch } from '@darkroom-service/media';
import { openFakeServer } from '../fakes/fake-server.ts';
import { type Checked, type Engine, EngineError } from '../src/engine.ts';
import { type Asked, isOrder } from './answer-questions.ts';

/**
 * Faults of reading: what may come in place of an answer about an order that its upstream has. None says anything about
 * the order, so each engine is given every one of them at each of its questions, and must ask again.
 */

type Response = Awaited<ReturnType<TrustedFetch>>;
/** Takes the place of an answer. */
type Fault = (told: string) => { readonly status: number; readonly text: string };

const STATUSES = [408, 425, 429, 500, 502, 503, 504];
/** These mean something where the upstream says them itself, which a page is not. */
const WITH_A_PAGE = [400, 401, 403, 404, 409, 410, 413, 422, 451, 520];
/** As gateways and frameworks write errors. */
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
const CHECK_EVERY_MS = 5;
const STATUS = 'x-status';

const FAULTS: Readonly<Record<string, Fault>> = Object.fromEntries([
  ...STATUSES.flatMap((status) => [
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

/** Asks what every engine makes of answers about an order that cannot be read. */
export function askOfReading(asked: () => Asked): void {
  it('asks again, at each of its questions about an order, after every answer that it cannot read', async () => {
    const { open, fetch, order } = asked();
    const clean = askedThrough(fetch, null);
    await made(open(clean.fetch), order('run=1'), 'nothing wrong');
    const questions = clean.asked();
    assert.ok(questions >= 2, 'an order that runs is asked for twice');
    const all = Object.entries(FAULTS).flatMap(([what, fault]) =>
      Array.from({ length: questions }, (_, at) => ({ what: `${what} at question ${at + 1}`, fault, at })),
    );
    while (all.length > 0)
      await Promise.all(
        all.splice(0, 20).map(async ({ what, fault, at }) => {
          const engine = open(askedThrough(fetch, { at, fault }).fetch);
          await made(engine, order('run=1'), what);
          await engine.close?.();
        }),
      );
  });

  it('reads answers about an order that have 40 KB of headers', async (t) => {
    const { open, fetch, order } = asked();
    const server = await openFakeServer(({ bytes, headers, reply }) =>
      reply(Number(headers[STATUS]), bytes, { 'content-security-policy': 'x'.repeat(40 * 1024) }),
    );
    t.after(() => server.stop());
    const engine = open(withLongHeaders(fetch, server.url));
    await made(engine, order('run=1'), 'long headers');
    await engine.close?.();
  });
}

/** Passes on what the upstream answers, with 40 KB of headers more. */
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

/** Orders, and checks until the result is there. @throws AssertionError if the order ends without it */
async function made(engine: Engine, order: ReturnType<Asked['order']>, what: string): Promise<void> {
  const context = { signal: AbortSignal.timeout(60_000), onProgress: () => {} };
  const started = await engine.start(order, context);
  assert.ok('operation' in started, what);
  for (;;) {
    const checked: Checked | null = await engine.check(started.operation, order, context).catch((error: unknown) => {
      assert.ok(error instanceof EngineError, `${what}: ${error}`);
      assert.ok(!['invalid_input', 'content_policy'].includes(error.class), `${what}: ${error.message}`);
      return null;
    });
    if (checked?.status === 'succeeded') return;
    assert.ok(checked === null || checked.status === 'pending', `${what}: ${JSON.stringify(checked)}`);
    await pause(CHECK_EVERY_MS);
  }
}

/** Counts the questions after the order, and spoils the answer to one of them. */
function askedThrough(fetch: TrustedFetch, spoiled: { readonly at: number; readonly fault: Fault } | null) {
  let isOrdered = false;
  let asked = 0;
  const through: TrustedFetch = async (url, options) => {
    const isQuestion = isOrdered;
    isOrdered ||= isOrder(options.body);
    if (!isQuestion || asked++ !== spoiled?.at) return await fetch(url, options);
    const response: Response = await fetch(url, options);
    const { status, text } = spoiled.fault((await buffer(response.body)).toString());
    return { ...response, status, headers: {}, body: Readable.from([Buffer.from(text)]) };
  };
  return { fetch: through, asked: () => asked };
}

/** Replaces each number that is the value of a field. */
function withNumbers(text: string, odd: string): string {
  const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi;
  return text.replaceAll(stringOrNumber, (found) => (found.startsWith('"') ? found : odd));
}
