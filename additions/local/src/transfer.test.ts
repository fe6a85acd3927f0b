import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type RequestListener, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startModelHub } from '../../../test/fakes/model-hub.ts';
import { checkSpace } from './check-machine.ts';
import { chooseBuild } from './choose-build.ts';
import { download } from './download.ts';
import { loadManifests } from './manifest.ts';
import { executePlan, planModel } from './pull-model.ts';
import { openRemoteFile } from './remote-file.ts';
import { openStore } from './store.ts';
import { createTransferRate } from './transfer-rate.ts';
import { createTransport } from './transport.ts';

const SHIPPED = join(import.meta.dirname, '..', '..', '..', 'catalog', 'local');
const NO_PROXIES = { https: null, http: null, except: [], resolves: false };
/** The hub redirects to a host that is no mirror. */
const OUTGOING = { allowedAddresses: ['127.0.0.0/8', '::1/128'], userAgent: 'Darkroom/1', proxies: NO_PROXIES };
const { signal } = new AbortController();

async function openBench(t: TestContext, proxy: string | null = null) {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-'));
  t.after(() => rm(directory, { recursive: true }));
  const file = { repository: 'a/b', path: 'w.gguf', bytes: randomBytes(1_000_000) };
  const hub = await startModelHub(t, [file]);
  const transport = createTransport({ base: hub.url, isMirror: true, ...OUTGOING, proxy, idleMs: 300 });
  t.after(() => transport.close());
  const address = new URL(`${hub.url}/a/b/resolve/main/w.gguf`);
  return { directory, file, hub, transport, address, part: join(directory, 'w.part') };
}

test('a host that falls silent is given up, and the download goes on where it stopped', async (t) => {
  const { file, hub, transport, address, part } = await openBench(t);
  const remote = await openRemoteFile(transport, address, signal);
  hub.faults.push('stall', 'stall');
  let arrived = 0;
  const onBytes = (count: number) => {
    arrived += count;
  };
  await download({ remote, name: 'w', part, connections: 2, onBytes, signal, pauseMs: 1 });
  assert.ok((await readFile(part)).equals(file.bytes));
  assert.equal(arrived, file.bytes.length);
});

test('a host that never works again ends the download with a message, and the part is kept', async (t) => {
  const { hub, transport, address, part } = await openBench(t);
  const remote = await openRemoteFile(transport, address, signal);
  hub.faults.push(...Array.from({ length: 40 }, () => 'unavailable' as const));
  const options = { remote, name: 'w.gguf', part, connections: 2, onBytes: () => {}, signal, pauseMs: 1 };
  await assert.rejects(
    download(options),
    /w\.gguf cannot be downloaded now: .* answered 503.* The downloaded part is kept/,
  );
  hub.faults.length = 0;
  await download(options);
});

test('downloads pass through the proxy', async (t) => {
  let passed = 0;
  const proxy = createServer((incoming, outgoing) => {
    passed++;
    incoming.pipe(
      request(incoming.url ?? '', { headers: incoming.headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      }),
    );
  });
  proxy.on('connect', ({ url = '' }, socket) => {
    passed++;
    const [host, port] = url.split(':');
    const target = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    target.on('error', () => socket.destroy());
    socket.on('error', () => target.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', () => resolve()));
  t.after(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const { file, transport, address, part } = await openBench(
    t,
    `http://ann:s3cret@127.0.0.1:${(proxy.address() as AddressInfo).port}`,
  );
  const remote = await openRemoteFile(transport, address, signal);
  await download({ remote, name: 'w', part, connections: 1, onBytes: () => {}, signal, pauseMs: 1 });
  assert.ok((await readFile(part)).equals(file.bytes));
  assert.ok(passed > 0);
});

test('without a mirror only https and public addresses are used', async (t) => {
  const { hub, address } = await openBench(t);
  const usual = { isMirror: false, ...OUTGOING, allowedAddresses: [], proxy: null, idleMs: 300 };
  const plain = createTransport({ base: hub.url, ...usual });
  t.after(() => plain.close());
  await assert.rejects(plain.get(address, {}, signal), /only https is used/);
  const secure = new URL(address.href.replace('http:', 'https:'));
  await assert.rejects(plain.get(secure, {}, signal), /127\.0\.0\.1 does not resolve to a public address/);
});

test('a mirror may have a private address, and what it redirects to may not', async (t) => {
  let visits = 0;
  const listen = async (answer: RequestListener) => {
    const server = createServer(answer);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    t.after(() => server.close());
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const inside = await listen((_request, answer) => {
    visits++;
    answer.end('secret');
  });
  const mirror = await listen(({ url = '' }, answer) => {
    if (url === '/own') answer.end('file');
    else answer.writeHead(302, { location: url === '/self' ? '/own' : decodeURIComponent(url.slice(1)) }).end();
  });
  const base = `http://${mirror}`;
  const open = (allowedAddresses: readonly string[]) => {
    const transport = createTransport({
      base,
      isMirror: true,
      ...OUTGOING,
      allowedAddresses,
      proxy: null,
      idleMs: 300,
    });
    t.after(() => transport.close());
    return (path: string) => transport.get(new URL(path, base), {}, signal);
  };
  const get = open([]);
  const { status, body } = await get('/self');
  body.destroy();
  assert.equal(status, 200);
  const to = (target: string) => `/${encodeURIComponent(target)}`;
  for (const host of [inside, '169.254.169.254', '[::1]', 'localhost:1'])
    for (const scheme of ['http', 'https'])
      await assert.rejects(get(to(`${scheme}://${host}/latest/`)), /does not resolve to a public address/);
  assert.equal(visits, 0);
  const allowed = await open(['127.0.0.0/8'])(to(`http://${inside}/`));
  allowed.body.destroy();
  assert.equal(visits, 1);
});

test('a disk without enough room is refused', async (t) => {
  const { directory } = await openBench(t);
  await checkSpace(directory, 1);
  await assert.rejects(checkSpace(directory, 1e18), /needs 1000000000000000000 bytes and 500000000 must stay free/);
});

test('a disk that becomes full during a pull is told with the bytes that it needs', async (t) => {
  const { directory, file, transport } = await openBench(t);
  const store = openStore(directory);
  const sha256 = createHash('sha256').update(file.bytes).digest('hex');
  const hubs = { hub: transport, releases: transport, releasesApi: transport.base };
  const known = { role: 'model', repository: file.repository, path: file.path, revision: null, about_bytes: null };
  const manifest = {
    name: 'tiny',
    title: 'Tiny',
    type: 'image',
    engine: 'e',
    licence: { id: 'MIT', acceptance: false },
    memory_bytes: null,
    parameters: {},
    files: [{ ...known, bytes: file.bytes.length, sha256 }],
  } as const;
  const plan = await planModel({ manifest: manifest as never, build: null }, { store, hubs, signal });
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  const onProgress = () => {
    throw full;
  };
  const work = { store, signal, now: () => 0 };
  const told =
    /The disk of .* is full: the download needs \d+ more bytes and 500000000 must stay free.*DARKROOM_LOCAL_DIR.*run the same command again/;
  await assert.rejects(executePlan(plan, { ...work, onProgress }), { name: 'LocalFault', message: told });
  await executePlan(plan, { ...work, onProgress: () => {} });
});

test('the included manifests can be read, and each model has an engine', async () => {
  const manifests = await loadManifests([SHIPPED]);
  assert.deepEqual([...manifests.models.keys()].sort(), ['sd-turbo', 'wan-2.1-t2v-1.3b', 'z-image-turbo']);
  for (const model of manifests.models.values()) {
    assert.equal(chooseBuild(manifests, model, 'linux-x64', null, [])?.variant, 'vulkan');
    assert.equal(chooseBuild(manifests, model, 'linux-x64', 'cpu', [])?.variant, 'cpu');
    assert.equal(chooseBuild(manifests, model, 'sunos-x64', 'none', []), null);
    assert.throws(() => chooseBuild(manifests, model, 'sunos-x64', null, []), /no build for sunos-x64/);
  }
});

test('the speed is that of the last ten seconds', () => {
  let now = 0;
  const rate = createTransferRate(() => now);
  assert.equal(rate.perSecond(), null);
  for (now = 1000; now <= 30_000; now += 1000) rate.add(now <= 15_000 ? 0 : 500);
  now = 30_000;
  assert.equal(rate.perSecond(), 500);
});
