import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pngChunk, withChunk } from '@darkroom-service/engines/fakes/parts';
import { processorCost } from '@darkroom-service/testing';
import { decoded, markBytes, markStream, mediaSamples, testSigning } from '@darkroom-service/testing/samples';
import sharp from 'sharp';
import { findManifestPlace } from './manifest-place.ts';
import { type Mark, xmpOf } from './mark.ts';
import { signFile } from './mark-file.ts';
import { originalBytes, originalParts } from './original.ts';
import type { Splice } from './splicer.ts';

/** Files that come with marks of somebody else, or with what looks like one. */
const MARK: Mark = {
  source: 'trainedAlgorithmicMedia',
  generator: 'Darkroom 0.1.0',
  model: 'flux-2-pro',
  taskId: 'img_0123456789',
  createdAt: new Date('2026-11-24T09:00:00Z'),
  prompt: null,
  isTest: false,
};
const XMP = xmpOf(MARK);
const SOURCE = 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia';
const RDF = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"';
const FIELDS =
  'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"';
const FORMATS = ['png', 'jpeg', 'webp', 'avif'] as const;
type Format = (typeof FORMATS)[number];
const folder = await mkdtemp(join(tmpdir(), 'foreign-marks-'));
after(() => rm(folder, { recursive: true }));
const picture = () => sharp({ create: { width: 20, height: 12, channels: 3, background: '#367' } });
const SAMPLES = await mediaSamples();
const sampleOf = (contentType: string) => SAMPLES.find(([type]) => type === contentType)?.[1] ?? Buffer.alloc(0);
const STORE = await storeOf('png', await picture().png().toBuffer());

function packet(fields: string): string {
  return `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF ${RDF} ${FIELDS}><rdf:Description rdf:about="">${fields}</rdf:Description></rdf:RDF></x:xmpmeta>`;
}

/** sharp compresses the XMP of a PNG, which other programs do not. */
async function withXmp(format: Format, xmp: string): Promise<Buffer> {
  if (format !== 'png') return await picture().toFormat(format).withXmp(xmp).toBuffer();
  return withChunk(await picture().png().toBuffer(), 'iTXt', `XML:com.adobe.xmp\0\0\0\0\0${xmp}`);
}

function mark(contentType: string, bytes: Buffer): { readonly marked: Buffer; readonly splices: readonly Splice[] } {
  const result = markBytes(contentType, bytes, XMP);
  assert.ok(result?.outcome.state === 'marked', contentType);
  const { splices } = result.outcome;
  const marked = Buffer.concat(result.pieces);
  const end = originalBytes(marked.length, splices);
  const parts = originalParts(marked.length, splices, { start: 0, end });
  const original = parts.map((part) => (part instanceof Uint8Array ? part : marked.subarray(part.start, part.end)));
  assert.ok(Buffer.concat(original).equals(bytes), contentType);
  return { marked, splices };
}

function assertKept(contentType: string, bytes: Buffer): void {
  const result = markBytes(contentType, bytes, XMP);
  assert.deepEqual(result?.outcome, { state: 'kept' }, contentType);
  assert.ok(Buffer.concat(result?.pieces ?? []).equals(bytes), contentType);
}

function assertFails(contentType: string, bytes: Buffer, message: RegExp): void {
  assert.throws(() => markBytes(contentType, bytes, XMP), { name: 'MarkFault', state: 'failed', message }, contentType);
}

async function xmpIn(bytes: Buffer): Promise<string> {
  return (await sharp(bytes).metadata()).xmp?.toString() ?? '';
}

/** The manifest of a signed copy. */
async function storeOf(format: Format, bytes: Buffer): Promise<Buffer> {
  const [path, signed] = [join(folder, 'plain'), join(folder, 'signed')];
  await writeFile(path, bytes);
  const options = { mark: MARK, signing: await testSigning('ES256'), ingredients: [] };
  await signFile(path, signed, { contentType: `image/${format}`, ...options });
  const store = findManifestPlace(signed, `image/${format}`)?.store;
  assert.ok(store);
  return store;
}

/** Embeds bytes where a manifest would lie. */
async function embed(contentType: string, bytes: Buffer, store: Buffer): Promise<Buffer> {
  const path = join(folder, 'embedding');
  await writeFile(path, bytes);
  const changes = findManifestPlace(path, contentType)?.embed(store).changes ?? [];
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const change of changes) {
    parts.push(bytes.subarray(at, change.at), change.bytes);
    at = change.at + change.removed;
  }
  return Buffer.concat([...parts, bytes.subarray(at)]);
}

test('a file whose C2PA manifest says that a machine made it keeps every byte, wherever the manifest lies', async () => {
  for (const [contentType, bytes] of SAMPLES)
    if (!/webm|matroska/.test(contentType)) assertKept(contentType, await embed(contentType, bytes, STORE));
  const png = await picture().png().toBuffer();
  assertKept(
    'image/png',
    Buffer.concat([png.subarray(0, -12), pngChunk('caBX', STORE.toString('latin1')), png.subarray(-12)]),
  );
  const film = sampleOf('video/mp4');
  const signed = await embed('video/mp4', film, STORE);
  const brands = film.readUInt32BE(0);
  assertKept(
    'video/mp4',
    Buffer.concat([film.subarray(0, brands), signed.subarray(film.length), film.subarray(brands)]),
  );
  const webp = await embed('image/webp', await picture().webp().toBuffer(), STORE);
  const late = markStream('image/webp', XMP);
  assert.throws(
    () => {
      for (const _ of late?.pass([webp.subarray(0, 200), webp.subarray(200)]) ?? []);
    },
    { name: 'MarkFault', state: 'kept' },
  );
});

test('a C2PA manifest that says nothing of a machine, or cannot be read, is left as it is, and no mark is told', async () => {
  const camera = Buffer.from(
    STORE.toString('latin1').replace('trainedAlgorithmicMedia', 'digitalCapture_________'),
    'latin1',
  );
  const broken = Buffer.from(STORE);
  broken.writeUInt32BE(7, STORE.indexOf('jumb', 60) - 4);
  for (const [contentType, bytes] of SAMPLES) {
    if (/webm|matroska/.test(contentType)) continue;
    assertFails(contentType, await embed(contentType, bytes, camera), /does not say that a machine made it/);
    assertFails(contentType, await embed(contentType, bytes, broken), /cannot be read/);
  }
});

test('a box of JUMBF that is no C2PA manifest is no mark', async () => {
  const other = Buffer.from(STORE);
  other.write('json', other.indexOf('c2pa'), 'latin1');
  for (const [contentType, bytes] of SAMPLES)
    if (!/webm|matroska/.test(contentType)) {
      const { marked } = mark(contentType, await embed(contentType, bytes, other));
      assert.deepEqual(await decoded(contentType, marked), await decoded(contentType, bytes));
    }
});

test('XMP that is there keeps its fields and gets those it lacks', async () => {
  const other = packet('<xmp:CreatorTool>A camera</xmp:CreatorTool><dc:title>Mine</dc:title>');
  for (const format of FORMATS) {
    const bytes = await withXmp(format, other);
    const { marked } = mark(`image/${format}`, bytes);
    const xmp = await xmpIn(marked);
    for (const field of ['A camera', 'Mine', SOURCE, MARK.taskId]) assert.ok(xmp.includes(field), `${format}: ${xmp}`);
    assert.ok(!xmp.includes(MARK.generator), xmp);
    assert.ok((await sharp(marked).raw().toBuffer()).equals(await sharp(bytes).raw().toBuffer()));
    assertKept(`image/${format}`, marked);
  }
  const packed = await picture().png().withXmp(other).toBuffer();
  assertFails('image/png', packed, /compressed/);
  for (const type of ['video/mp4', 'video/quicktime', 'video/webm', 'video/x-matroska'])
    assertKept(type, mark(type, sampleOf(type)).marked);
});

test('only XMP that states a source type of machines is a mark; another source type stays, and no mark is told', async () => {
  const type = (value: string) => `<Iptc4xmpExt:DigitalSourceType>${value}</Iptc4xmpExt:DigitalSourceType>`;
  const resource = `<e:DigitalSourceType xmlns:e="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" rdf:resource='${SOURCE}'/>`;
  const attribute = packet('').replace('rdf:about=""', `rdf:about="" Iptc4xmpExt:DigitalSourceType="${SOURCE}"`);
  const capture = SOURCE.replace('trainedAlgorithmicMedia', 'digitalCapture');
  const mentions = [
    '<dc:rights>no DigitalSourceType stated</dc:rights>',
    `<dc:source>${SOURCE}</dc:source>`,
    `<!-- ${type(SOURCE)} -->`,
    `<dc:rights><![CDATA[${type(SOURCE)}]]></dc:rights>`,
    `<dc:DigitalSourceType>${SOURCE}</dc:DigitalSourceType>`,
    `<xmp:Part rdf:parseType="Resource">${type(SOURCE)}</xmp:Part>`,
  ];
  for (const format of FORMATS) {
    for (const xmp of [
      packet(type(SOURCE)),
      packet(type(` ${SOURCE.replace('http', 'https')}\n`)),
      packet(resource),
      attribute,
    ])
      assertKept(`image/${format}`, await withXmp(format, xmp));
    for (const stated of [capture, 'http://example.com/trainedAlgorithmicMedia', ''])
      assertFails(`image/${format}`, await withXmp(format, packet(type(stated))), /states another source type/);
    for (const mention of mentions) {
      const { marked } = mark(`image/${format}`, await withXmp(format, packet(mention)));
      assert.ok((await xmpIn(marked)).includes(type(SOURCE)), mention);
    }
  }
});

test('XMP is extended where it ends, for the file that it describes, whatever its prefixes and comments', async () => {
  const inner = '<dc:title>Mine</dc:title>';
  const named = packet(inner).replace('rdf:about=""', `rdf:about='uuid:"1"'`);
  const other = packet(inner).replaceAll('rdf:', 'r:').replace('xmlns:rdf', 'xmlns:r');
  const packets = [
    `${packet(inner)}<!-- </rdf:RDF> --><?pi </rdf:RDF> ?>`,
    packet(`<!-- </rdf:RDF> --><dc:rights><![CDATA[</rdf:RDF>]]></dc:rights>${inner}`),
    packet(inner).replace('rdf:RDF ', 'rdf:RDF\n a=">" '),
    named,
    other,
  ];
  for (const format of FORMATS)
    for (const xmp of packets) {
      const { marked } = mark(`image/${format}`, await withXmp(format, xmp));
      assertKept(`image/${format}`, marked);
      const found = await xmpIn(marked);
      assert.ok(found.includes('Mine') && found.includes(MARK.taskId), found);
      if (xmp === named) assert.equal(found.split(`rdf:about='uuid:"1"'`).length, 3, found);
    }
  for (const xmp of ['<x>', `<!DOCTYPE x>${packet('')}`, packet('').replace('<rdf:Desc', '<rdf:DESC'), 'no XMP'])
    for (const format of FORMATS) assertFails(`image/${format}`, await withXmp(format, xmp), /XMP/);
});

test('of a JPEG with several XMP segments none is changed, and the work does not grow with their number', async () => {
  const jpeg = await picture().jpeg().toBuffer();
  const body = Buffer.from(`http://ns.adobe.com/xap/1.0/\0${packet('')}`);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  const segment = Buffer.concat([head, body]);
  const many = Buffer.concat([jpeg.subarray(0, 2), ...Array(50_000).fill(segment), jpeg.subarray(2)]);
  const cost = await processorCost(() => assertFails('image/jpeg', many, /XMP twice/));
  assert.ok(cost < 10, `${cost} times a megabyte of JSON`);
  const comments = Buffer.concat([
    jpeg.subarray(0, 2),
    Buffer.alloc(5 * 2 ** 20, Buffer.of(0xff, 0xfe, 0, 2)),
    jpeg.subarray(2),
  ]);
  assertFails('image/jpeg', comments, /metadata before its content/);
  assertFails('image/png', await withXmp('png', packet('<dc:title/>'.repeat(20_000))), /over 10000 tags/);
});

test('the second picture of a JPEG is found again, wherever its XMP lies', async () => {
  const [first, second] = [await picture().jpeg().toBuffer(), await picture().negate().jpeg().toBuffer()];
  const xmp = segmentOf(0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0${packet('<dc:title>Mine</dc:title>')}`));
  for (const isLittle of [true, false])
    for (const place of ['none', 'before', 'behind'] as const) {
      const build = (size: number, offset: number) =>
        Buffer.concat([
          first.subarray(0, 2),
          ...(place === 'before' ? [xmp] : []),
          segmentOf(0xe2, mpf(isLittle, [size, offset, second.length])),
          ...(place === 'behind' ? [xmp] : []),
          first.subarray(2),
        ]);
      const size = build(0, 0).length;
      const jpeg = build(size, size - build(0, 0).indexOf('MPF\0') - 4);
      const { marked } = mark('image/jpeg', Buffer.concat([jpeg, second]));
      const at = marked.indexOf('MPF\0') + 4;
      const read = (to: number) => (isLittle ? marked.readUInt32LE(at + to) : marked.readUInt32BE(at + to));
      assert.ok(marked.subarray(at + read(26 + 24)).equals(second), `${place}, ${isLittle}`);
      assert.equal(read(26 + 4), marked.length - second.length, place);
      const signed = join(folder, 'signed');
      await writeFile(join(folder, 'plain'), await embed('image/jpeg', Buffer.concat([jpeg, second]), STORE));
      await signFile(join(folder, 'plain'), signed, {
        contentType: 'image/jpeg',
        mark: MARK,
        signing: await testSigning('ES256'),
        ingredients: [],
      });
      const bytes = await readFile(signed);
      const tiff = bytes.indexOf('MPF\0') + 4;
      const offset = isLittle ? bytes.readUInt32LE(tiff + 50) : bytes.readUInt32BE(tiff + 50);
      assert.ok(bytes.subarray(tiff + offset).equals(second), `signed, ${place}`);
    }
});

test('a film with zeros behind its last box is marked before them; with anything else it is not marked', () => {
  for (const type of ['video/mp4', 'video/quicktime']) {
    const film = sampleOf(type);
    for (const length of [1, 4, 8, 31]) {
      const { marked } = mark(type, Buffer.concat([film, Buffer.alloc(length)]));
      assertKept(type, marked.subarray(0, -length));
    }
    assertFails(type, Buffer.concat([film, Buffer.from('sixteen bytes of')]), /ends before/);
  }
});

function segmentOf(marker: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
}

/** The index of two pictures: the length of the first; offset and length of the second. */
function mpf(isLittle: boolean, [size, offset, length]: readonly [number, number, number]): Buffer {
  const bytes = Buffer.alloc(8 + 2 + 12 + 4 + 32);
  const long = (value: number, at: number) =>
    isLittle ? bytes.writeUInt32LE(value, at) : bytes.writeUInt32BE(value, at);
  const short = (value: number, at: number) =>
    isLittle ? bytes.writeUInt16LE(value, at) : bytes.writeUInt16BE(value, at);
  bytes.write(isLittle ? 'II' : 'MM');
  short(42, 2);
  long(8, 4);
  short(1, 8);
  short(0xb002, 10);
  short(7, 12);
  long(32, 14);
  long(26, 18);
  long(size, 26 + 4);
  long(length, 26 + 20);
  long(offset, 26 + 24);
  return Buffer.concat([Buffer.from('MPF\0'), bytes]);
}
