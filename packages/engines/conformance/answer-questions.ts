import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { it } from 'node:test';
import type { TrustedFetch } from '@darkroom-service/media';
import type { Checked, Engine, EngineError, Order } from '../src/engine.ts';

/** Answers that any upstream, or a proxy in front of it, may give; the suite checks how each engine reads them. */

/** The parts of the conformance suite that its questions use. */
export interface Asked {
  readonly name: string;
  /** Opens an engine whose calls go through `fetch`. */
  open(fetch: TrustedFetch): Engine;
  readonly fetch: TrustedFetch;
  order(words: string): Order;
  /** Places an order and returns the error it threw, or its failure; null if it succeeded. */
  ordered(engine: Engine, order: Order): Promise<EngineError | Extract<Checked, { status: 'failed' }> | null>;
}

interface AskedHarness {
  readonly blocking?: boolean;
  readonly isFree?: boolean;
  readonly withoutResult?: readonly object[];
}

/** Complete answers of OpenAI's images API without a picture. */
const IMAGES_WITHOUT: readonly object[] = [
  { created: 1, data: [] },
  { created: 1, data: null },
  { created: 1, data: [{ b64_json: null, url: null, revised_prompt: 'a fox' }] },
  { created: 1, data: [{ url: '', is_image_safe: true, seed: 7 }] },
  { data: [null], usage: { total_tokens: 5 } },
];

interface Given {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The usual forms of an error. */
const FORMS: readonly ((message: string) => object)[] = [
  (message) => ({ error: { message } }),
  (message) => ({ error: message }),
  (message) => ({ message }),
  (message) => ({ detail: message }),
  (message) => ({ detail: [{ loc: ['body', 'prompt'], msg: message }] }),
];
/** Words that would have a meaning if they were not a quotation of the order. */
const TREACHEROUS =
  'a shop with insufficient credits, an invalid api key on the wall, flagged by moderation, the model is not available';
const PAGE = '<html><body>Welcome to the captive portal of this hotel</body></html>';
const STATUSES = ['status', 'state', 'task_status', 'status_str'];

/** Tests how an engine reads answers that are no success. */
export function askOfAnswers(
  asked: () => Asked,
  { blocking = false, isFree = false, withoutResult = IMAGES_WITHOUT }: AskedHarness,
): void {
  const given = async (answer: Given, words = '') => {
    const { open, fetch, order, ordered } = asked();
    return await ordered(open(answerOrders(fetch, answer)), order(words));
  };

  it('takes an error inside a success for what it says', async () => {
    const inside: readonly (readonly [body: object, errorClass?: string])[] = [
      [{ error: { message: 'CUDA out of memory', type: 'server_error' } }],
      [{ created: 1, data: [], error: 'the worker died: CUDA out of memory' }],
      [{ errors: [{ message: 'CUDA out of memory' }] }],
      [{ error: { code: 502, message: 'CUDA out of memory' } }],
      [{ error: { code: 429, message: 'CUDA out of memory' } }, 'rate_limited'],
      [{ error: { code: 402, message: 'CUDA out of memory' } }, 'billing'],
    ];
    for (const [body, errorClass] of inside) {
      const told = await given({ status: 200, body });
      const about = JSON.stringify(body);
      assert.ok(told !== null, about);
      if ('status' in told) assert.equal(told.error.code, 'upstream_error', about);
      else assert.equal(told.took, 'no', about);
      assert.match('status' in told ? told.error.message : told.message, /CUDA out of memory/, about);
      if (errorClass !== undefined && !isFree) assert.equal('status' in told || told.class, errorClass, about);
    }
  });

  it('knows that an order that was redirected, or not understood as a request, was not accepted', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const headers = { location: 'https://elsewhere.example/v1?key=secret-0815' };
      const told = await given({ status, body: '', headers });
      assert.ok(told !== null && 'took' in told, String(status));
      assert.deepEqual([told.took, told.scope], ['no', 'route'], String(status));
      assert.match(told.message, /base URL/);
      assert.doesNotMatch(told.message, /0815/);
    }
    for (const status of [405, 411, 413, 421, 426, 429, 431, 501, 511]) {
      const told = await given({ status, body: PAGE });
      assert.ok(told !== null && 'took' in told && told.took === 'no', String(status));
    }
  });

  it('does not take words of the order, quoted in a refusal, for the reason', async () => {
    for (const form of FORMS) {
      const told = await given({ status: 400, body: form(`The prompt "${TREACHEROUS}" is too long`) }, TREACHEROUS);
      assert.ok(told !== null && 'took' in told);
      assert.deepEqual([told.class, told.took, told.scope], ['invalid_input', 'no', 'engine'], told.message);
      assert.match(told.message, /is too long/);
    }
  });

  it('lets no word win over a status, but those of an account that cannot pay', async () => {
    for (const form of FORMS) {
      const told = await given({ status: 429, body: form('Slow down: invalid api key, flagged by moderation') });
      assert.ok(told !== null && 'took' in told);
      assert.deepEqual([told.class, told.took, told.scope], ['rate_limited', 'no', 'engine'], told.message);
    }
    for (const status of [400, 402, 403, 429])
      for (const form of FORMS) {
        const told = await given({ status, body: form('User is locked. Reason: Exhausted balance.') });
        assert.ok(told !== null && 'took' in told);
        assert.deepEqual([told.class, told.took], ['billing', 'no'], `${status} ${told.message}`);
        assert.equal(told.proof, status === 400 ? 'words' : 'documented', `${status} ${told.message}`);
      }
  });

  it('tells a quota of zero, and one of a day, from a rate', async () => {
    for (const form of FORMS) {
      const zero = await given({ status: 429, body: form('Quota exceeded for metric: free_tier_requests, limit: 0') });
      assert.ok(zero !== null && 'took' in zero);
      assert.deepEqual([zero.class, zero.took, zero.retryAfterMs], ['billing', 'no', null], zero.message);
      assert.match(zero.message, /this key has no paid plan/);
      const day = await given({ status: 429, body: form('You have reached the daily limit. Try again in 2h30m.') });
      assert.ok(day !== null && 'took' in day);
      assert.deepEqual([day.class, day.took, day.scope], ['rate_limited', 'no', 'route'], day.message);
      assert.equal(day.retryAfterMs, 9_000_000);
      assert.match(day.message, /the quota of a day is used up, it resets at 20/);
    }
  });

  if (!isFree) {
    it('tells refused content and a missing model from a faulty order', async () => {
      const reasons: readonly (readonly [string, string, string])[] = [
        ['Your request was rejected by our content moderation', 'content_policy', 'engine'],
        ['The model is no longer available', 'auth', 'route'],
        ['invalid param: model', 'auth', 'route'],
      ];
      for (const [words, errorClass, scope] of reasons)
        for (const form of FORMS.slice(0, -1)) {
          const told = await given({ status: 400, body: form(words) });
          assert.ok(told !== null && 'took' in told);
          assert.deepEqual([told.class, told.scope, told.proof], [errorClass, scope, 'words'], told.message);
        }
      const issues = [{ path: ['model'], message: 'unknown value' }];
      const told = await given({ status: 400, body: { error: 'Validation of body failed', issues } });
      assert.ok(told !== null && 'took' in told);
      assert.deepEqual([told.class, told.scope], ['auth', 'route'], told.message);
    });

    it('keeps what is said of each field', async () => {
      const issues = [{ path: ['prompt'], message: 'is in no language that we know' }];
      const told = await given({ status: 400, body: { error: 'Validation of body failed', issues } });
      assert.ok(told !== null && 'took' in told);
      assert.equal(told.class, 'invalid_input');
      assert.match(told.message, /Validation of body failed: prompt: is in no language that we know/);
    });

    it('keeps the first characters of an answer that says nothing', async () => {
      const told = await given({ status: 200, body: PAGE });
      assert.ok(told !== null && 'took' in told);
      assert.equal(told.took, 'unknown');
      assert.match(String(told.answered), /captive portal of this hotel/);
    });
  }

  if (blocking) {
    it('knows of a whole answer without a result that nothing was made', async () => {
      for (const body of withoutResult) {
        const told = await given({ status: 200, body });
        const about = JSON.stringify(body);
        assert.ok(told !== null && 'status' in told, about);
        assert.ok(['upstream_error', 'content_policy'].includes(told.error.code), about);
      }
    });
    return;
  }

  it('knows a status in another case, and asks again after an error that says nothing of the order', async () => {
    const { open, fetch, order, ordered } = asked();
    assert.equal(await ordered(open(inOtherCase(fetch)), order('queue=1 run=1')), null);
    const engine = open(failFirstQuestion(fetch, { error: { message: 'try again later' } }));
    assert.equal(await ordered(engine, order('run=1')), null);
  });
}

/** Answers the calls that place orders, instead of the upstream. */
function answerOrders(fetch: TrustedFetch, { status, body, headers = {} }: Given): TrustedFetch {
  return async (url, options) => {
    if (!isOrder(options.body)) return await fetch(url, options);
    return { status, headers, url, body: bytesOf(body) };
  };
}

function bytesOf(body: unknown): Readable {
  return Readable.from([Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))]);
}

/** Tells whether a body is an order: every order of the suite has its name in the prompt, or in a file. */
export function isOrder(body: unknown): boolean {
  const texts = body instanceof FormData ? [...body.values()] : [body];
  return texts.some((text) => typeof text === 'string' && /job=contract|"input_file_id":/.test(text));
}

function inOtherCase(fetch: TrustedFetch): TrustedFetch {
  const turn = (text: string) =>
    text.replaceAll(/[a-z]/gi, (one) => (one < 'a' ? one.toLowerCase() : one.toUpperCase()));
  return async (url, options) => {
    const response = await fetch(url, options);
    if (response.headers['content-type'] !== 'application/json') return response;
    const { 'content-length': _, ...headers } = response.headers;
    const text = (await buffer(response.body)).toString();
    const turned = JSON.parse(text, (key, value) =>
      STATUSES.includes(key) && typeof value === 'string' ? turn(value) : value,
    );
    return { ...response, headers, body: bytesOf(turned) };
  };
}

function failFirstQuestion(fetch: TrustedFetch, body: object): TrustedFetch {
  let isOrdered = false;
  let hasFailed = false;
  return async (url, options) => {
    const response = await fetch(url, options);
    const isQuestion = isOrdered && !hasFailed;
    isOrdered ||= isOrder(options.body);
    if (!isQuestion) return response;
    hasFailed = true;
    response.body.destroy();
    return { ...response, status: 200, headers: {}, body: bytesOf(body) };
  };
}
