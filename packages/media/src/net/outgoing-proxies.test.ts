import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { serveHttp, serveHttps, serveProxy } from '@darkroom-service/testing';
import { makeCertificate, makeTrustedCertificate } from '@darkroom-service/testing/samples';
import { FetchFault } from './fetch-fault.ts';
import { type OutgoingProxies, proxyFor, readProxy, shownProxy } from './outgoing-proxies.ts';
import { createTrustedFetch, type FetchOptions, type TrustedFetchOptions } from './trusted-fetch.ts';

const NONE: OutgoingProxies = { https: null, http: null, except: [], resolves: false };
const PUBLIC = '93.184.216.34';
const NAME = 'pictures.example.com';
const trusted = await makeTrustedCertificate([NAME]);

/** Opens a fetch whose requests all go through the proxy, and that resolves every name to a public address. */
const openerOf =
  (freshConnection: boolean) =>
  (
    t: TestContext,
    port: number,
    {
      user = '',
      resolves = false,
      ...others
    }: { readonly user?: string; readonly resolves?: boolean } & Pick<TrustedFetchOptions, 'connectTimeoutMs'> = {},
  ) => {
    const uri = `http://${user}127.0.0.1:${port}`;
    const names: string[] = [];
    const { fetch, close } = createTrustedFetch({
      ...others,
      allowedAddresses: [],
      proxies: { ...NONE, https: uri, http: uri, resolves },
      async lookup(name) {
        names.push(name);
        return [
          { address: '2606:2800:220:1::1', family: 6 },
          { address: PUBLIC, family: 4 },
        ];
      },
    });
    t.after(close);
    const read = async (url: string, call: Partial<FetchOptions> = {}) =>
      await text((await fetch(url, { maxBytes: 1_000, timeoutMs: 60_000, freshConnection, ...call })).body);
    return { read, names };
  };

async function faultOf(answer: Promise<string>): Promise<FetchFault> {
  const fault = await answer.then(
    () => null,
    (error: unknown) => error,
  );
  assert.ok(fault instanceof FetchFault, String(fault));
  return fault;
}

for (const freshConnection of [false, true])
  describe(`a request through a proxy, ${freshConnection ? 'over a connection of its own' : 'over kept ones'}`, () => {
    const open = openerOf(freshConnection);

    it('to a host that is judged goes to the address that was judged, with the name for TLS and the host', async (t) => {
      const port = await serveHttps(t, trusted, ({ headers, socket }, response) =>
        response.end(`${headers.host} ${'servername' in socket ? socket.servername : ''}`),
      );
      const proxy = await serveProxy(t);
      const { read, names } = open(t, proxy.port);
      assert.equal(await read(`https://${NAME}:${port}/`), `${NAME}:${port} ${NAME}`);
      assert.deepEqual([proxy.tunnels, names], [[{ to: `${PUBLIC}:${port}`, authorization: undefined }], [NAME]]);
    });

    it('to an address that is not allowed is refused before the proxy is asked', async (t) => {
      const proxy = await serveProxy(t);
      const { read } = open(t, proxy.port);
      const inside = createTrustedFetch({
        allowedAddresses: [],
        proxies: { ...NONE, https: `http://127.0.0.1:${proxy.port}` },
        lookup: async () => [
          { address: PUBLIC, family: 4 },
          { address: '10.0.0.1', family: 4 },
        ],
      });
      t.after(inside.close);
      const faults = [
        await faultOf(read('https://10.0.0.1/')),
        await faultOf(read('https://[::1]/')),
        await faultOf(
          inside.fetch(`https://${NAME}/`, { maxBytes: 1, timeoutMs: 60_000 }).then(({ body }) => text(body)),
        ),
      ];
      assert.deepEqual(
        faults.map(({ kind, sent }) => `${kind} ${sent}`),
        Array(3).fill('refused_address no'),
      );
      assert.deepEqual(proxy.tunnels, []);
    });

    it('leaves the name to the proxy for a trusted origin, or if the proxy is trusted with all', async (t) => {
      const port = await serveHttps(t, trusted, (_request, response) => response.end('fox'));
      const origin = `https://${NAME}:${port}`;
      const proxy = await serveProxy(t);
      const judging = open(t, proxy.port);
      assert.equal(await judging.read(origin, { allowOrigins: [origin] }), 'fox');
      const { read, names } = open(t, proxy.port, { resolves: true });
      assert.equal(await read(origin), 'fox');
      assert.deepEqual([...judging.names, ...names], []);
      assert.deepEqual(
        proxy.tunnels.map(({ to }) => to),
        Array(2).fill(`${NAME}:${port}`),
      );
      assert.equal((await faultOf(read('https://10.0.0.1/'))).kind, 'refused_address');
    });

    it('is tunnelled without TLS too, and reuses its tunnel unless it needs a fresh connection', async (t) => {
      const origin = await serveHttp(t, ({ headers, url }, response) => response.end(`${headers.host}${url}`));
      const { port } = new URL(origin);
      const proxy = await serveProxy(t);
      const { read } = open(t, proxy.port);
      const address = `http://${NAME}:${port}/fox?a=1`;
      for (let round = 0; round < 10; round++)
        assert.equal(await read(address, { freshConnection: false }), `${NAME}:${port}/fox?a=1`);
      const kept = proxy.tunnels.length;
      assert.ok(kept < 5, `${kept} tunnels for 10 requests`);
      for (let order = 0; order < 3; order++) await read(address, { method: 'POST', freshConnection: true });
      assert.deepEqual(
        proxy.tunnels.map(({ to }) => to),
        Array(kept + 3).fill(`${PUBLIC}:${port}`),
      );
    });

    it('is not made for a server that the service runs itself', async (t) => {
      const origin = await serveHttp(t, (_request, response) => response.end('fox'));
      const proxy = await serveProxy(t);
      const { read } = open(t, proxy.port);
      assert.equal(await read(origin, { allowOrigins: [origin], isDirect: true }), 'fox');
      assert.equal((await faultOf(read(origin, { isDirect: true }))).kind, 'refused_address');
      assert.deepEqual(proxy.tunnels, []);
    });

    it('that the proxy does not serve was certainly not sent, and only its cause names the proxy', async (t) => {
      const silent = await serveProxy(t, () => '');
      const slow = await serveHttp(t, () => {});
      const cases: [number, RegExp][] = [
        [
          (await serveProxy(t, () => 'HTTP/1.1 403 Not here\r\n\r\n')).port,
          /refused the connection to .*: 403 Not here$/,
        ],
        [(await serveProxy(t, () => 'HTTP/1.1 407 Who are you\r\n\r\n')).port, /407 Who are you; it expects a user/],
        [(await serveProxy(t, () => 'HTTP/1.1 502 Bad Gateway\r\n\r\n')).port, /502 Bad Gateway$/],
        [(await serveProxy(t, () => 'no HTTP\r\n\r\n')).port, /cannot be reached \(HPE_/],
        [silent.port, /cannot be reached \(ECONNRESET\)$/],
        [9, /cannot be reached \(ECONNREFUSED\)$/],
        [Number(new URL(slow).port), /cannot be reached \(ECONNRESET\)$/],
      ];
      for (const [port, reason] of cases) {
        const { read } = open(t, port, { user: 'ann:s3cret@' });
        const fault = await faultOf(read(`https://${NAME}/`, { method: 'POST', freshConnection: true }));
        assert.deepEqual([fault.kind, fault.sent, fault.isPassing], ['proxy', 'no', true]);
        assert.equal(fault.message, `${NAME} could not be reached through the outgoing proxy`);
        assert.match(String((fault.cause as Error).message), reason);
        assert.match(String(fault.cause), new RegExp(`the proxy http://127.0.0.1:${port} `));
        assert.doesNotMatch(`${fault.stack} ${(fault.cause as Error).stack}`, /s3cret|czNjcmV0|YW5u/);
      }
    });

    it('that the proxy never answers ends after the time for a connection', async (t) => {
      const proxy = await serveProxy(t, () => new Promise(() => {}));
      const { read } = open(t, proxy.port, { connectTimeoutMs: 50 });
      const fault = await faultOf(read(`https://${NAME}/`));
      assert.deepEqual([fault.kind, fault.sent], ['proxy', 'no']);
      assert.match(String(fault.cause), /did not answer within 0\.05 s$/);
    });

    it('carries user and password of the proxy to the proxy alone', async (t) => {
      const origin = await serveHttp(t, ({ headers }, response) => response.end(JSON.stringify(headers)));
      const proxy = await serveProxy(t);
      const { read } = open(t, proxy.port, { user: 'ann:p%40ss@' });
      const headers = await read(`http://${NAME}:${new URL(origin).port}/`);
      assert.equal(proxy.tunnels[0]?.authorization, `Basic ${Buffer.from('ann:p@ss').toString('base64')}`);
      assert.doesNotMatch(headers, /proxy|ann/i);
    });

    it('trusts the certificates of hosts as it does without a proxy', async (t) => {
      const port = await serveHttps(t, await makeCertificate([NAME]), (_request, response) => response.end('fox'));
      const other = await serveHttps(t, trusted, (_request, response) => response.end('fox'));
      const proxy = await serveProxy(t);
      const { read } = open(t, proxy.port);
      for (const address of [`https://${NAME}:${port}/`, `https://other.example.com:${other}/`]) {
        const fault = await faultOf(read(address));
        assert.deepEqual([fault.kind, fault.sent], ['connect', 'no'], address);
      }
    });
  });

describe('the proxy of a host', () => {
  const through = 'http://proxy.example.com:3128';
  const found = (url: string, except: readonly string[], proxies = { https: through, http: through }) =>
    proxyFor(new URL(url), { ...NONE, ...proxies, except })?.href ?? null;

  it('is that of the scheme', () => {
    assert.equal(found('https://a.example', [], { https: 'http://one:1', http: 'two:2' }), 'http://one:1/');
    assert.equal(found('http://a.example', [], { https: 'http://one:1', http: 'two:2' }), 'http://two:2/');
    assert.equal(proxyFor(new URL('http://a.example'), { ...NONE, https: through }), null);
  });

  it('is none for the hosts of NO_PROXY', () => {
    const direct: [string, string[]][] = [
      ['https://a.example', ['*']],
      ['https://a.example', ['A.Example']],
      ['https://a.example.', ['a.example']],
      ['https://deep.a.example', ['a.example']],
      ['https://deep.a.example', ['.a.example']],
      ['https://a.example', ['.a.example']],
      ['https://deep.a.example', ['*.a.example']],
      ['https://a.example', ['other', 'a.example:443']],
      ['http://a.example:8080', ['a.example:8080']],
      ['http://127.0.0.1:8188', ['127.0.0.1']],
      ['http://10.1.2.3', ['10.0.0.0/8']],
      ['http://[::1]:8188', ['::1']],
      ['http://[::1]:8188', ['[::1]']],
      ['http://[::1]:8188', ['[::1]:8188']],
      ['http://[fd00::5]', ['fd00::/8']],
    ];
    for (const [url, except] of direct) assert.equal(found(url, except), null, `${url} ${except}`);
    const proxied: [string, string[]][] = [
      ['https://a.example', []],
      ['https://ba.example', ['a.example']],
      ['https://a.example', ['*.a.example']],
      ['https://a.example.org', ['a.example']],
      ['https://a.example', ['a.example:80']],
      ['http://127.0.0.1:8188', ['localhost', '127.0.0.1:80', '127.0.0.2', '.0.0.1', '10.0.0.0/8']],
      ['http://[::1]:8188', ['[::1]:80', '::2']],
    ];
    for (const [url, except] of proxied) assert.ok(found(url, except), `${url} ${except}`);
  });

  it('is read with and without a scheme, and shown without its password', () => {
    for (const [text, href] of [
      ['http://ann:p%40ss@proxy.example.com:3128', 'http://proxy.example.com:3128'],
      ['https://proxy.example.com/', 'https://proxy.example.com'],
      ['proxy.example.com:3128', 'http://proxy.example.com:3128'],
      ['[::1]:3128', 'http://[::1]:3128'],
    ] as const) {
      const url = readProxy(text);
      assert.ok(url, text);
      assert.equal(shownProxy(url), href);
    }
    for (const text of [
      'socks5://a:1080',
      'http://',
      'http://a:99999',
      'http://a/path',
      'http://a?b',
      'a b',
      'http://a%:b@c',
    ])
      assert.equal(readProxy(text), null, text);
  });
});
