import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { bombs } from '@darkroom-service/testing/samples';
import sharp from 'sharp';
import { assertBooks, readTasks } from '../crash/books.ts';
import { openPremises } from '../crash/child-service.ts';
import { type Attack, assertHealthy, assertNoTrace, sendAll } from './target.ts';

const tiny = { model_id: 'sketch', prompt: 'a fox', size: '64x64' };

function orderWith(what: string, source: unknown): Attack {
  return { what, path: '/v1/images', body: JSON.stringify({ ...tiny, image_urls: [source] }) };
}

function dataUri(type: string, data: Buffer): string {
  return `data:${type};base64,${data.toString('base64')}`;
}

/** Where no order may lead, in as many spellings as there are. */
const NOWHERE = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '2130706433',
  '017700000001',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '127.0.0.1.',
  '127.255.255.254',
  '0.0.0.0',
  '0',
  '10.0.0.1',
  '10.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '3232235521',
  '100.64.0.1',
  '169.254.169.254',
  '2852039166',
  '0xa9fea9fe',
  '192.0.2.1',
  '198.18.0.1',
  '203.0.113.7',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[fe80::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[ff02::1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'a.localhost',
  '１２７.0.0.1',
  '127。0。0。1',
  '①②⑦.0.0.1',
  '%31%32%37.0.0.1',
  'user:pass@127.0.0.1',
  '127.0.0.1:80',
].map((host) => `http://${host}/a.png`);

const NO_ADDRESS = [
  '',
  ' ',
  'a',
  '/etc/passwd',
  '//127.0.0.1/a',
  'file:///etc/passwd',
  'ftp://example.com/a',
  'gopher://127.0.0.1:6379/_',
  'javascript:alert(1)',
  'blob:x',
  'http://',
  'http:///',
  'https://[::1/',
  'http://[fe80::1%25eth0]/',
  'http://a b/',
  'http://\u0001/',
  'http://1.2.3.4.5.6/',
  'http://256.256.256.256/',
  'http://example.com:99999/',
  'upload:',
  'upload:../../darkroom.db',
  "upload:file_' or 1=1",
  'upload:__proto__',
  'task:',
  'task:../x',
  'task:img_00000000000000000000000000',
  'data:',
  'data:,a',
  'data:;base64,',
  'data:image/png;base64,',
  'data:image/png;base64,!!!!',
  'data:image/png;base64,AAA',
  'data:image/png,abc',
  'data:text/html;base64,PGh0bWw+',
  'data:image/svg+xml;base64,PHN2Zy8+',
];

interface Host {
  readonly url: string;
  /** The names under which it was asked. */
  readonly askedAs: Set<string>;
}

async function startHost(
  t: TestContext,
  address: string,
  answer: (path: string, response: ServerResponse) => void,
): Promise<Host> {
  const askedAs = new Set<string>();
  const host = createServer((request, response) => {
    askedAs.add(request.headers.host ?? '');
    response.on('error', () => {});
    answer(request.url ?? '', response);
  }).listen(0, address);
  await once(host, 'listening');
  t.after(() => {
    host.closeAllConnections();
    host.close();
  });
  return { url: `http://${address}:${(host.address() as AddressInfo).port}`, askedAs };
}

async function makeBombs(): Promise<Record<string, Buffer>> {
  const png = await bombs.pngBomb(60_000);
  return {
    'a PNG of 60,000 by 60,000': png,
    'a PNG of two thousand million pixels a side': bombs.pngOfNothing(2_147_483_647, 2_147_483_647),
    'a PNG without sides': bombs.pngOfNothing(0, 0),
    'a GIF bomb': bombs.gifBomb(),
    'a WebP bomb': bombs.webpBomb(),
    'a WebP of nothing': bombs.webpOfNothing(),
    'half a PNG': png.subarray(0, png.length / 2),
    'an MP4 of boxes': bombs.mp4OfBoxes(),
    'a MOV of free boxes': Buffer.concat(
      Array.from({ length: 10_000 }, () => Buffer.from([0, 0, 0, 8, ...Buffer.from('free')])),
    ),
    'an AVIF of 8192 by 8192': bombs.avifOfNothing(),
    'an interlaced PNG of 8192 by 8192': bombs.pngOfNothing(8192, 8192, 1),
    'an MP4 of 10,000 tracks': bombs.mp4OfTracks(10_000),
    'an MP4 of four thousand million samples': bombs.mp4OfSamples(2 ** 32 - 1),
    'a fragment of four thousand million samples': bombs.mp4OfFragment(2 ** 32 - 1),
    'an MP4 of 200,000 boxes': bombs.mp4OfFreeBoxes(200_000),
    'a Matroska of 10,000 tracks': bombs.matroskaOfTracks(10_000),
    'a Matroska of nothing': Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
    'an Ogg of nothing': Buffer.from('OggS\0\0\0\0'),
    'an MP3 of nothing': Buffer.from('ID3\x04\0\0\x7f\x7f\x7f\x7f'),
    'a RIFF of RIFFs': Buffer.from('RIFF\xff\xff\xff\xffWAVERIFF\xff\xff\xff\xffWAVE', 'latin1'),
    'an SVG': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><image href="http://169.254.169.254/"/></svg>'),
    'a PDF': Buffer.from('%PDF-1.7\n'),
    'a TIFF': Buffer.from('II*\0\x08\0\0\0'),
    'a playlist': Buffer.from('#EXTM3U\nfile:///etc/passwd\n'),
  };
}

/** What unpacks to much within and is a small picture all the same: it may be taken, and must cost nothing. */
function disguised(): Record<string, Buffer> {
  return { 'a text bomb': bombs.pngWithTextBomb(), 'a profile bomb': bombs.pngWithProfileBomb() };
}

test('no address but a public one is taken as a reference, however it is spelled', async (t) => {
  const premises = await openPremises(t);
  const child = await premises.start();
  const attacks = [...NOWHERE, ...NO_ADDRESS].map((source) => orderWith(`reference ${JSON.stringify(source)}`, source));
  assert.ok(attacks.length > 80);
  await sendAll(child, premises.keys.test, attacks);
  assert.deepEqual(await readTasks(premises.database), []);
});

test('pictures that would burst the memory are refused in every way they come, and leave it as it was', async (t) => {
  const premises = await openPremises(t);
  const child = await premises.start();
  const files = Object.entries(await makeBombs());
  const taken = Object.entries(disguised());
  const asUri = ([what, data]: [string, Buffer]) => orderWith(`${what} as data URI`, dataUri('image/png', data));
  const asUpload = ([what, data]: [string, Buffer]): Attack => ({
    what: `${what} as upload`,
    path: '/v1/files',
    body: data,
    headers: { 'content-type': 'image/png' },
  });
  const simulated = (attack: Attack): Attack => ({
    ...attack,
    headers: { ...attack.headers, 'darkroom-simulate': 'seconds=3600' },
  });
  const attacks = [
    ...files.flatMap((file) => [asUri(file), asUpload(file)]),
    ...taken.flatMap((file) =>
      [simulated(asUri(file)), asUpload(file)].map((attack): Attack => ({ ...attack, mayPass: true })),
    ),
    orderWith('a data URI of 21 MB', dataUri('image/png', Buffer.alloc(21 * 2 ** 20 + 1))),
    orderWith('a data URI of 21 MB of signs', `data:image/png;base64,${'!'.repeat(25_000_000)}`),
  ];
  await assertNoTrace(t, child, () => sendAll(child, premises.keys.test, attacks), { rounds: 3 });
  await assertBooks(premises);
  await assertHealthy(child, premises);
});

test('what a reference leads to is judged again at every hop, and its order fails as invalid_input, released', async (t) => {
  const files = await makeBombs();
  const bodies = new Map(Object.entries(files).map(([what, data], index) => [`/bomb-${index}`, { what, data }]));
  const fine = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#264' } })
    .png()
    .toBuffer();
  // A private address that would answer with a fine picture, were it ever asked.
  const secret = await startHost(t, '127.0.0.2', (_path, response) => response.end(fine));
  const secretPort = new URL(secret.url).port;
  const inside = [
    `${secret.url}/`,
    `http://2130706434:${secretPort}/`,
    `http://0x7f.2:${secretPort}/`,
    `http://[::ffff:127.0.0.2]:${secretPort}/`,
    `http://other.test:${secretPort}/`,
    'http://169.254.169.254/latest/',
    'http://10.0.0.1/',
    'http://[::1]/',
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
  ];
  const host = await startHost(t, '127.0.0.1', (path, response) => {
    const bomb = bodies.get(path);
    const hop = /^\/to-(\d+)$/.exec(path)?.[1];
    if (bomb !== undefined) response.setHeader('content-type', 'image/png').end(bomb.data);
    else if (hop !== undefined) response.writeHead(302, { location: inside[Number(hop)] ?? '' }).end();
    else if (path === '/fine') response.end(fine);
    else if (path === '/loop') response.writeHead(302, { location: '/loop' }).end();
    else if (path === '/nowhere') response.writeHead(302).end();
    else if (path === '/gzip')
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(60_000_000)));
    else if (path === '/lie') response.writeHead(200, { 'content-length': '9000000000' }).write('a');
    else if (path === '/page') response.setHeader('content-type', 'image/png').end('<html>');
    else if (path === '/endless') pourForever(response);
    else response.writeHead(404).end();
  });
  const premises = await openPremises(t);
  const names = {
    'inner.test': ['10.0.0.1'],
    'mixed.test': ['127.0.0.1', '10.0.0.1'],
    'mapped.test': ['::ffff:10.0.0.1'],
    'metadata.test': ['169.254.169.254'],
    'other.test': ['127.0.0.2'],
  };
  const child = await premises.start({ names, variables: { DARKROOM_ALLOWED_ADDRESSES: '127.0.0.1/32' } });
  const { port } = new URL(host.url);
  const sources = [
    ...[...bodies.keys()].map((path) => host.url + path),
    ...inside.map((_, index) => `${host.url}/to-${index}`),
    ...['/loop', '/nowhere', '/gzip', '/lie', '/page', '/endless', '/missing'].map((path) => host.url + path),
    ...Object.keys(names).map((name) => `http://${name}:${name === 'other.test' ? secretPort : port}/fine`),
  ];
  const allowed = { ...tiny, image_urls: [`${host.url}/fine`] };
  const made = await child.call(premises.keys.live, 'POST', '/v1/images', allowed, { prefer: 'wait=60' });
  assert.equal(made.body.data.status, 'succeeded', 'what is fine and allowed is fetched');
  const run = async () => {
    const orders = await Promise.all(
      sources.map((source) =>
        child.call(premises.keys.live, 'POST', '/v1/images', { ...tiny, image_urls: [source] }, { prefer: 'wait=60' }),
      ),
    );
    for (const [index, { status, body }] of orders.entries()) {
      assert.equal(status, 201, `${sources[index]}`);
      const { status: end, error, cost } = body.data;
      assert.deepEqual(
        [end, error?.code, cost.state],
        ['failed', 'invalid_input', 'released'],
        `${sources[index]} ${JSON.stringify(error)}`,
      );
    }
  };
  await assertNoTrace(t, child, run);
  assert.deepEqual([...secret.askedAs], []);
  assert.deepEqual([...host.askedAs], [`127.0.0.1:${port}`]);
  await assertBooks(premises);
  await assertHealthy(child, premises);
});

function pourForever(response: ServerResponse): void {
  const chunk = Buffer.alloc(1_000_000);
  const pour = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', pour);
  pour();
}
