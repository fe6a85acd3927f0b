import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { buffer, json, text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { serveHttp } from '@darkroom-service/testing';
import { FetchFault, type FetchFaultKind } from './fetch-fault.ts';
import { createTrustedFetch, type FetchOptions, type TrustedFetch, type TrustedFetchOptions } from './trusted-fetch.ts';

const NOT_PUBLIC = /^127\.0\.0\.1:\d+ redirects to an address that is not on the public internet$/;
const USER_INFO = /redirects to a URL with user name and password$/;
const LOOPBACK = ['127.0.0.0/8'];
const LIMITS = { maxBytes: 1_000_000, timeoutMs: 60_000 };

const openerOf =
  (freshConnection: boolean) =>
  (t: TestContext, options: Partial<TrustedFetchOptions> = {}): TrustedFetch => {
    const { fetch, close } = createTrustedFetch({ allowedAddresses: LOOPBACK, ...options });
    t.after(close);
    return (url, call) => fetch(url, { freshConnection, ...call });
  };

/** Serves raw bytes, which need not be HTTP. */
async function serveRaw(t: TestContext, onConnection: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createSocketServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onConnection(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function faults(kind: FetchFaultKind, sent: 'no' | 'unknown', message?: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof FetchFault, String(error));
    assert.deepEqual([error.kind, error.sent], [kind, sent], error.message);
    if (message !== undefined) assert.match(error.message, message);
    return true;
  };
}

async function read(fetch: TrustedFetch, url: string, options: Partial<FetchOptions> = {}): Promise<string> {
  const { body } = await fetch(url, { ...LIMITS, ...options });
  return await text(body);
}

for (const freshConnection of [false, true])
  describe(freshConnection ? 'over connections of their own' : 'over kept connections', () => {
    const open = openerOf(freshConnection);

    describe('a trusted fetch', () => {
      it('hands over status, headers, body and address', async (t) => {
        const origin = await serveHttp(t, (request, response) => {
          response.writeHead(203, { 'content-type': 'image/png', 'set-cookie': ['a=1', 'b=2'] });
          response.end(
            `${request.method} ${request.url} ${request.headers['accept-encoding']} ${request.headers['user-agent']}`,
          );
        });
        const response = await open(t)(`${origin}/fox.png?a=1#top`, LIMITS);
        assert.equal(response.status, 203);
        assert.equal(response.headers['content-type'], 'image/png');
        assert.equal(response.headers['set-cookie'], 'a=1, b=2');
        assert.equal(response.url, `${origin}/fox.png?a=1`);
        assert.equal(await text(response.body), 'GET /fox.png?a=1 identity Darkroom');
      });

      it('sends text, bytes, streams and forms', async (t) => {
        const origin = await serveHttp(t, async (request, response) => {
          response.end(JSON.stringify({ type: request.headers['content-type'] ?? '', body: await text(request) }));
        });
        const fetch = open(t);
        const post = async (body: NonNullable<FetchOptions['body']>) =>
          (await json(
            (
              await fetch(origin, { ...LIMITS, method: 'POST', headers: { 'Content-Type': 'text/fox' }, body })
            ).body,
          )) as object;
        for (const body of ['fox', Buffer.from('fox'), Readable.from([Buffer.from('fox')])]) {
          assert.deepEqual(await post(body), { type: 'text/fox', body: 'fox' });
        }
        const form = new FormData();
        form.set('image', new Blob(['fox'], { type: 'image/png' }), 'fox.png');
        const { body } = await fetch(origin, { ...LIMITS, method: 'POST', body: form });
        const answer = (await json(body)) as { type: string; body: string };
        assert.match(answer.type, /^multipart\/form-data; boundary=/);
        assert.match(answer.body, /name="image"; filename="fox.png"\r\nContent-Type: image\/png\r\n\r\nfox/i);
      });

      it('keeps connections for the next requests', async (t) => {
        const ports = new Set<number | undefined>();
        const origin = await serveHttp(t, (request, response) => {
          ports.add(request.socket.remotePort);
          response.end('fox');
        });
        const fetch = open(t);
        for (let round = 0; round < 10; round++) await read(fetch, origin, { freshConnection: false });
        assert.ok(ports.size < 5, `${ports.size} connections for 10 requests`);
      });

      it('uses a connection of its own for a request that must not be repeated, before and after it', async (t) => {
        const uses = new Map<Socket, number>();
        const origin = await serveHttp(t, (request, response) => {
          const use = (uses.get(request.socket) ?? 0) + 1;
          uses.set(request.socket, use);
          // A host that closes kept connections, at the moment of the next request.
          if (use > 1) request.socket.resetAndDestroy();
          else response.end('fox');
        });
        const fetch = open(t);
        await read(fetch, origin, { freshConnection: false });
        const order = { method: 'POST', body: '{}', freshConnection: true };
        for (let round = 0; round < 4; round++) assert.equal(await read(fetch, origin, order), 'fox');
        assert.deepEqual(await Promise.all([1, 2, 3].map(() => read(fetch, origin, order))), ['fox', 'fox', 'fox']);
        assert.deepEqual([...uses.values()], Array(8).fill(1));
      });
    });

    describe('the addresses that a trusted fetch reaches', () => {
      it('exclude private ones unless they are allowed or their origin is trusted', async (t) => {
        const origin = await serveHttp(t, (_request, response) => response.end('fox'));
        const strict = open(t, { allowedAddresses: [] });
        await assert.rejects(
          read(strict, origin),
          faults('refused_address', 'no', /not an address on the public internet/),
        );
        assert.equal(await read(strict, origin, { allowOrigins: [origin] }), 'fox');
        // A connection made in trust does not serve who does not trust.
        await assert.rejects(read(strict, origin), faults('refused_address', 'no'));
        assert.equal(await read(open(t), origin), 'fox');
      });

      it('exclude names that resolve to a private address, also beside public ones', async (t) => {
        let asked = 0;
        const origin = await serveHttp(t, (_request, response) => {
          asked++;
          response.end('fox');
        });
        const { port } = new URL(origin);
        for (const addresses of [
          ['127.0.0.1'],
          ['93.184.216.34', '127.0.0.1'],
          ['::ffff:127.0.0.1'],
          ['fe80::1'],
          ['64:ff9b::7f00:1'],
        ]) {
          const lookup = async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
          const fetch = open(t, { allowedAddresses: [], lookup });
          await assert.rejects(
            read(fetch, `http://pictures.example.com:${port}/`),
            faults('refused_address', 'no', /^pictures\.example\.com does not resolve to a public address$/),
          );
        }
        assert.equal(asked, 0);
      });

      it('are the checked ones: a name is resolved once', async (t) => {
        const origin = await serveHttp(t, (request, response) => response.end(request.headers.host));
        const answers = ['127.0.0.1', '169.254.169.254'];
        const lookups: string[] = [];
        const fetch = open(t, {
          lookup: async (host) => {
            lookups.push(host);
            return [{ address: answers.shift() ?? '', family: 4 }];
          },
        });
        const host = `pictures.example.com:${new URL(origin).port}`;
        assert.equal(await read(fetch, `http://${host}/`), host);
        assert.deepEqual(lookups, ['pictures.example.com']);
      });

      it('are told apart from unknown names and refused connections', async (t) => {
        const missing = open(t, {
          lookup: () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })),
        });
        await assert.rejects(
          read(missing, 'http://nowhere.example.com/'),
          faults('dns', 'no', /nowhere\.example\.com/),
        );
        const empty = open(t, { lookup: async () => [] });
        await assert.rejects(read(empty, 'http://nowhere.example.com/'), faults('dns', 'no'));
        const server = createSocketServer().listen(0, '127.0.0.1');
        await once(server, 'listening');
        const { port } = server.address() as AddressInfo;
        server.close();
        await once(server, 'close');
        await assert.rejects(read(open(t), `http://127.0.0.1:${port}/`), faults('connect', 'no'));
      });

      it('must be given as ranges', () => {
        assert.throws(() => createTrustedFetch({ allowedAddresses: ['localhost'] }), RangeError);
      });
    });

    describe('a redirect', () => {
      it('is returned unless following is requested', async (t) => {
        const origin = await serveHttp(t, (_request, response) => response.writeHead(302, { location: '/next' }).end());
        const { status, headers, body } = await open(t)(origin, LIMITS);
        body.destroy();
        assert.deepEqual([status, headers.location], [302, '/next']);
      });

      it('is followed as often as allowed, and a loop ends', async (t) => {
        const origin = await serveHttp(t, (request, response) => {
          const left = Number(request.url?.slice(1));
          if (left === 0) response.end('fox');
          else response.writeHead(302, { location: Number.isNaN(left) ? '/loop' : `/${left - 1}` }).end('elsewhere');
        });
        const fetch = open(t);
        assert.equal(await read(fetch, `${origin}/3`, { maxRedirects: 3 }), 'fox');
        await assert.rejects(
          read(fetch, `${origin}/4`, { maxRedirects: 3 }),
          faults('redirects', 'unknown', /more than 3 times/),
        );
        await assert.rejects(read(fetch, `${origin}/loop`, { maxRedirects: 3 }), faults('redirects', 'unknown'));
      });

      it('to a private address is refused, by number, by name and by scheme, without naming where it led', async (t) => {
        let asked = 0;
        const inner = await serveHttp(t, (_request, response) => {
          asked++;
          response.end('secret');
        });
        const { port } = new URL(inner);
        for (const location of [
          inner,
          `http://2130706433:${port}/`,
          `http://inside.example.com:${port}/`,
          'file:///etc/passwd',
          `http://fox:secret@inside.example.com:${port}/`,
        ]) {
          const outer = await serveHttp(t, (_request, response) => response.writeHead(302, { location }).end());
          const fetch = open(t, { allowedAddresses: [], lookup: async () => [{ address: '127.0.0.1', family: 4 }] });
          await assert.rejects(
            read(fetch, outer, { maxRedirects: 5, allowOrigins: [outer] }),
            faults('refused_address', 'unknown', location.includes('secret') ? USER_INFO : NOT_PUBLIC),
            location,
          );
        }
        assert.equal(asked, 0);
      });

      it('to another origin carries no credentials, to the same one it does', async (t) => {
        const elsewhere = await serveHttp(t, (request, response) => response.end(JSON.stringify(request.headers)));
        const origin = await serveHttp(t, (request, response) => {
          if (request.url === '/here') response.end(JSON.stringify(request.headers));
          else response.writeHead(302, { location: request.url === '/same' ? '/here' : `${elsewhere}/` }).end();
        });
        const fetch = open(t);
        const headers = { Authorization: 'Key fox', 'X-Goog-Api-Key': 'fox', Cookie: 'fox=1', Accept: 'image/*' };
        const same = JSON.parse(await read(fetch, `${origin}/same`, { headers, maxRedirects: 1 }));
        assert.deepEqual(
          [same.authorization, same['x-goog-api-key'], same.cookie, same.accept],
          ['Key fox', 'fox', 'fox=1', 'image/*'],
        );
        const other = JSON.parse(await read(fetch, `${origin}/other`, { headers, maxRedirects: 1 }));
        assert.doesNotMatch(JSON.stringify(other), /fox/);
        assert.equal(other.accept, 'image/*');
      });

      it('of a body is followed as GET, again to the same origin, and never to another', async (t) => {
        const elsewhere = await serveHttp(t, (_request, response) => response.end('reached'));
        const origin = await serveHttp(t, async (request, response) => {
          const body = await text(request);
          if (request.url === '/end')
            response.end(`${request.method} ${body} ${request.headers['content-type'] ?? '-'}`);
          else
            response
              .writeHead(Number(request.url?.slice(1, 4)), {
                location: request.url?.endsWith('away') ? elsewhere : '/end',
              })
              .end();
        });
        const fetch = open(t);
        const post = (path: string, body: NonNullable<FetchOptions['body']> = 'fox') =>
          read(fetch, `${origin}${path}`, {
            method: 'POST',
            headers: { 'content-type': 'text/fox' },
            body,
            maxRedirects: 2,
          });
        assert.equal(await post('/303'), 'GET  -');
        assert.equal(await post('/302'), 'GET  -');
        assert.equal(await post('/307'), 'POST fox text/fox');
        await assert.rejects(post('/307/away'), faults('redirects', 'unknown'));
        await assert.rejects(post('/308', Readable.from(['fox'])), faults('redirects', 'unknown'));
      });

      it('without a valid location is a fault', async (t) => {
        const origin = await serveHttp(t, (request, response) => {
          response.writeHead(302, request.url === '/bad' ? { location: 'http://[' } : {}).end();
        });
        const fetch = open(t);
        await assert.rejects(read(fetch, `${origin}/none`, { maxRedirects: 1 }), faults('redirects', 'unknown'));
        await assert.rejects(read(fetch, `${origin}/bad`, { maxRedirects: 1 }), faults('redirects', 'unknown'));
      });
    });

    describe('the body of a trusted fetch', () => {
      const endless = (response: ServerResponse) => {
        const piece = Buffer.alloc(65_536);
        const more = () => {
          while (!response.destroyed && response.write(piece));
        };
        response.on('drain', more);
        more();
      };

      it('may be as long as its limit and not a byte longer, with or without content-length', async (t) => {
        const origin = await serveHttp(t, (request, response) => {
          if (request.url === '/told') response.setHeader('content-length', 1000);
          else response.flushHeaders();
          response.end(Buffer.alloc(1000));
        });
        const fetch = open(t);
        for (const path of ['/told', '/untold']) {
          assert.equal((await read(fetch, origin + path, { maxBytes: 1000 })).length, 1000);
          await assert.rejects(
            read(fetch, origin + path, { maxBytes: 999 }),
            faults('too_large', 'unknown', /at most 999 bytes/),
          );
        }
      });

      it('is aborted with its connection when it has no end', async (t) => {
        const closed = Promise.withResolvers<void>();
        const origin = await serveHttp(t, (_request, response) => {
          response.on('close', closed.resolve);
          endless(response);
        });
        await assert.rejects(read(open(t), origin), faults('too_large', 'unknown'));
        await closed.promise;
      });

      it('is released when the reader destroys it', async (t) => {
        const closed = Promise.withResolvers<void>();
        const origin = await serveHttp(t, (_request, response) => {
          response.on('close', closed.resolve);
          endless(response);
        });
        const { body } = await open(t)(origin, LIMITS);
        body.destroy();
        await closed.promise;
      });

      it('ends with a fault when it is shorter than announced', async (t) => {
        const origin = await serveRaw(t, (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nfox'));
        await assert.rejects(read(open(t), origin), faults('protocol', 'unknown'));
      });

      it('has the announced length when more bytes follow', async (t) => {
        const origin = await serveRaw(t, (socket) =>
          socket.end('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nfox and more'),
        );
        assert.equal(await read(open(t), origin), 'fox');
      });

      it('that is not HTTP is a fault', async (t) => {
        const origin = await serveRaw(t, (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
        await assert.rejects(read(open(t), origin), faults('protocol', 'unknown'));
      });

      it('may fail unread without harm', async (t) => {
        const origin = await serveRaw(t, (socket) => socket.end('HTTP/1.1 500 No\r\nContent-Length: 1000\r\n\r\nfox'));
        const { status, body } = await open(t)(origin, LIMITS);
        assert.equal(status, 500);
        await new Promise((resolve) => body.once('close', resolve));
      });

      it('passes through whole', async (t) => {
        const bytes = Buffer.alloc(5_000_000, 'fox');
        const origin = await serveHttp(t, (_request, response) => response.end(bytes));
        const { body } = await open(t)(origin, { ...LIMITS, maxBytes: bytes.length });
        assert.ok(bytes.equals(await buffer(body)));
      });
    });

    describe('the patience of a trusted fetch', () => {
      it('ends when nothing is answered', async (t) => {
        const origin = await serveHttp(t, () => {});
        await assert.rejects(read(open(t), origin, { timeoutMs: 50 }), faults('timeout', 'unknown', /within 0.05 s/));
      });

      it('ends when a body arrives too slowly', async (t) => {
        const origin = await serveHttp(t, (_request, response) => {
          const drip = setInterval(() => response.write('.'), 5);
          response.on('close', () => clearInterval(drip));
        });
        await assert.rejects(read(open(t), origin, { timeoutMs: 100 }), faults('timeout', 'unknown'));
      });

      it('ends when a body stops arriving', async (t) => {
        const origin = await serveHttp(t, (_request, response) => response.write('fox'));
        await assert.rejects(
          read(open(t), origin, { idleTimeoutMs: 50 }),
          faults('timeout', 'unknown', /stopped sending data/),
        );
      });

      it('spans all redirects', async (t) => {
        const origin = await serveHttp(t, (request, response) => {
          if (request.url === '/end') return;
          response.writeHead(302, { location: '/end' }).end();
        });
        await assert.rejects(read(open(t), origin, { timeoutMs: 100, maxRedirects: 3 }), faults('timeout', 'unknown'));
      });

      it('ends when the caller says so: before, while waiting, and within the body', async (t) => {
        const arrived = Promise.withResolvers<void>();
        const origin = await serveHttp(t, (request, response) => {
          if (request.url === '/wait') arrived.resolve();
          else response.write('fox');
        });
        const fetch = open(t);
        const reason = new Error('enough');
        await assert.rejects(read(fetch, origin, { signal: AbortSignal.abort(reason) }), reason);
        const waiting = new AbortController();
        const call = read(fetch, `${origin}/wait`, { signal: waiting.signal });
        await arrived.promise;
        waiting.abort(reason);
        await assert.rejects(call, reason);
        const reading = new AbortController();
        const { body } = await fetch(origin, { ...LIMITS, signal: reading.signal });
        reading.abort(reason);
        await assert.rejects(text(body), reason);
      });
    });
  });
