import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { createTrustedFetch } from '@darkroom-service/media';
import { type Exchange, openFakeServer } from '../../fakes/fake-server.ts';
import { EngineError } from '../engine.ts';
import { createUpstream, type Upstream, type UpstreamRequest } from './upstream-call.ts';

const signal = new AbortController().signal;
const KEY = 'sk-fakefakefakefake';

async function open(
  t: TestContext,
  answer: (exchange: Exchange) => undefined,
  path = '',
  timeoutMs = 60_000,
): Promise<{ readonly upstream: Upstream; readonly url: string }> {
  const server = await openFakeServer(answer);
  const { fetch, close } = createTrustedFetch({ allowedAddresses: [] });
  t.after(async () => {
    await close();
    await server.stop();
  });
  const upstream = createUpstream({
    name: 'Example',
    baseUrl: `${server.url}${path}`,
    headers: { authorization: 'Bearer hush-hush' },
    secrets: ['hush-hush', KEY],
    fetch,
    explain: () => null,
    refusals: [502],
    timeoutMs,
  });
  return { upstream, url: server.url };
}

async function faultOf(upstream: Upstream, request: Omit<UpstreamRequest, 'signal'>): Promise<EngineError> {
  const fault = await upstream.call({ ...request, signal }).then(
    () => null,
    (error: unknown) => error,
  );
  assert.ok(fault instanceof EngineError, String(fault));
  return fault;
}

describe('a call to an upstream', () => {
  it('reports whether an order was accepted: after a clear refusal no, if unclear perhaps', async (t) => {
    const cases: [number, unknown, 'no' | 'unknown', EngineError['class']][] = [
      [400, { error: { message: 'no' } }, 'no', 'invalid_input'],
      [400, '<html>', 'unknown', 'invalid_input'],
      [401, '<html>', 'no', 'auth'],
      [402, {}, 'no', 'billing'],
      [408, { detail: 'slow' }, 'unknown', 'timeout'],
      [422, { detail: 'no' }, 'no', 'invalid_input'],
      [429, '', 'no', 'rate_limited'],
      [500, { detail: 'no' }, 'unknown', 'upstream'],
      [503, { detail: 'no' }, 'unknown', 'busy'],
      [302, '', 'no', 'upstream'],
      [405, '<html>', 'no', 'upstream'],
      [413, '<html>', 'no', 'invalid_input'],
      [421, '', 'no', 'upstream'],
      [501, '<html>', 'no', 'upstream'],
      [502, { error: 'no' }, 'no', 'upstream'],
      [502, '<html>', 'unknown', 'upstream'],
    ];
    for (const [status, body, took, errorClass] of cases) {
      const { upstream } = await open(t, ({ reply }) => reply(status, body));
      const fault = await faultOf(upstream, { method: 'POST', url: '/orders', json: {}, orders: true });
      assert.deepEqual([fault.took, fault.class], [took, errorClass], `${status} ${JSON.stringify(body)}`);
      assert.equal((await faultOf(upstream, { url: '/orders/1' })).took, 'yes');
    }
  });

  it('says of a redirected order that the base URL is wrong', async (t) => {
    for (const status of [301, 302, 308]) {
      const { upstream } = await open(t, ({ reply }) => reply(status, '', { location: 'https://example.com/orders' }));
      const fault = await faultOf(upstream, { method: 'POST', url: '/orders', json: {}, orders: true });
      assert.match(fault.message, new RegExp(`\\(${status}\\), so the base URL .* is wrong$`));
      assert.deepEqual([fault.took, fault.scope], ['no', 'route']);
    }
  });

  it('sends each order over a connection of its own, and asks over kept ones', async (t) => {
    const sockets: unknown[] = [];
    const { upstream } = await open(t, ({ response, reply }) => {
      sockets.push(response.socket);
      return reply(200, {});
    });
    const order = { method: 'POST', url: '/orders', json: {}, orders: true, signal };
    for (let count = 0; count < 10; count++) await upstream.call({ url: '/orders/1', signal });
    const kept = new Set(sockets).size;
    assert.ok(kept < 5, `${kept} connections for 10 requests`);
    for (let count = 0; count < 3; count++) await upstream.call(order);
    assert.equal(new Set(sockets).size, kept + 3);
  });

  it('reports the same for timeouts, broken connections and refused connections', async (t) => {
    const silent = await open(t, () => undefined, '', 500);
    const order = { method: 'POST', url: '/', json: {}, orders: true };
    const silence = await faultOf(silent.upstream, order);
    assert.deepEqual([silence.class, silence.took], ['timeout', 'unknown']);
    const broken = await open(t, ({ response }) => void response.destroy() as undefined);
    assert.equal((await faultOf(broken.upstream, order)).took, 'unknown');
    const { fetch, close } = createTrustedFetch({ allowedAddresses: [] });
    t.after(close);
    const shut = createUpstream({
      name: 'Shut',
      baseUrl: 'http://127.0.0.1:9',
      headers: {},
      secrets: [],
      fetch,
      explain: () => null,
    });
    const fault = await faultOf(shut, order);
    assert.deepEqual([fault.took, fault.message], ['no', 'Shut cannot be reached']);
  });

  it('sends an order over a connection that nothing else uses, since a kept one may just be closing', async (t) => {
    const used = new Set<unknown>();
    const { upstream } = await open(t, ({ response, reply }) => {
      if (used.has(response.socket)) return void response.socket?.resetAndDestroy() as undefined;
      used.add(response.socket);
      return reply(200, {});
    });
    const order = { method: 'POST', url: '/orders', json: {}, orders: true, signal };
    await upstream.call({ url: '/models', signal });
    for (let round = 0; round < 4; round++) assert.equal((await upstream.call(order)).status, 200);
  });

  it('keeps the reason and cuts out the key', async (t) => {
    const { upstream } = await open(t, ({ reply }) => reply(401, { error: { message: 'Wrong key:\n hush-hush.' } }));
    assert.equal((await faultOf(upstream, { url: '/' })).message, 'Example: Wrong key: [key]');
  });

  it('cuts out the key in base64 and its first characters, also from the start of an answer without a reason', async (t) => {
    const told = `${KEY.slice(0, 12)}, ${encodeURIComponent(KEY)}, Basic ${Buffer.from(KEY).toString('base64')}`;
    const { upstream } = await open(t, ({ reply }) => reply(400, { error: { message: told, param: KEY } }));
    const { message, fields } = await faultOf(upstream, { url: '/' });
    assert.equal(message, 'Example: [key], [key], Basic [key]Q==');
    assert.doesNotMatch(fields.join(), /fake/);
    const answer = { status: 200, headers: {}, text: told, body: {} };
    assert.throws(() => upstream.unmade(answer, 'made nothing'), { answered: '[key], [key], Basic [key]Q==' });
  });

  it('sends the key only to its own origin, and never with a signed URL', async (t) => {
    const seen: (string | undefined)[] = [];
    const note = ({ headers, reply }: Exchange) => {
      seen.push(headers.authorization);
      return reply(200, {});
    };
    const { upstream, url } = await open(t, note);
    const other = await openFakeServer(note);
    t.after(() => other.stop());
    await upstream.call({ url: '/mine', signal });
    await upstream.call({ url: `${url}/signed`, signed: true, signal });
    assert.deepEqual(seen, ['Bearer hush-hush', undefined]);
    // Another port of this machine is not publicly reachable.
    assert.equal((await faultOf(upstream, { url: `${other.url}/theirs` })).class, 'upstream');
    assert.equal(seen.length, 2);
  });

  it("follows the upstream's URLs at the configured base URL", async (t) => {
    const { upstream, url } = await open(t, ({ reply }) => reply(200, {}), '/proxy/fal');
    assert.equal(
      upstream.rebase('https://queue.fal.run/app/requests/1?logs=1'),
      `${url}/proxy/fal/app/requests/1?logs=1`,
    );
    assert.equal(upstream.rebase('/app/requests/1'), `${url}/proxy/fal/app/requests/1`);
    assert.equal(upstream.rebase(`${url}/proxy/fal/app`), `${url}/proxy/fal/app`);
  });
});
