import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { decoded, mediaSamples, testSigning } from '@darkroom-service/testing/samples';
import fc from 'fast-check';
import { MediaFault } from '../media-fault.ts';
import { createMediaTools } from '../media-tools.ts';
import { findManifestPlace } from './manifest-place.ts';
import type { Mark } from './mark.ts';
import { type SignOptions, signFile } from './mark-file.ts';
import { originalBytes, originalParts } from './original.ts';
import { signingFault } from './signing.ts';
import type { Splice } from './splicer.ts';

const folder = await mkdtemp(join(tmpdir(), 'mark-file-'));
after(() => rm(folder, { recursive: true }));
const [path, signed, again] = ['given', 'signed', 'again'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
const SAMPLES = await mediaSamples();
const SIGNING = await testSigning('ES256');
const MARK: Mark = {
  source: 'compositeWithTrainedAlgorithmicMedia',
  generator: 'Darkroom 0.1.0',
  model: 'flux-2-pro',
  taskId: 'img_0123456789',
  createdAt: new Date('2026-11-24T09:00:00Z'),
  prompt: null,
  isTest: false,
};
const optionsOf = (contentType: string): SignOptions => ({
  contentType,
  mark: MARK,
  signing: SIGNING,
  ingredients: [{ path, contentType, title: 'reference', relationship: 'inputTo' }],
});

function original(marked: Buffer, splices: readonly Splice[]): Buffer {
  const end = originalBytes(marked.length, splices);
  const parts = originalParts(marked.length, splices, { start: 0, end });
  return Buffer.concat(
    parts.map((part) => (part instanceof Uint8Array ? part : marked.subarray(part.start, part.end))),
  );
}

test('a manifest changes no pixel and no sample, a second one keeps the first, and each original comes back', async () => {
  for (const [contentType, bytes] of SAMPLES) {
    await writeFile(path, bytes);
    const first = await signFile(path, signed, optionsOf(contentType));
    if (/webm|matroska/.test(contentType)) {
      assert.equal(first, null);
      continue;
    }
    assert.ok(first?.state === 'signed');
    const marked = await readFile(signed);
    assert.deepEqual(await decoded(contentType, marked), await decoded(contentType, bytes), contentType);
    assert.ok(original(marked, first.splices).equals(bytes), contentType);
    const second = await signFile(signed, again, optionsOf(contentType));
    assert.ok(second?.state === 'signed');
    const twice = await readFile(again);
    assert.ok(original(twice, second.splices).equals(marked), contentType);
    assert.deepEqual(await decoded(contentType, twice), await decoded(contentType, bytes), contentType);
    const label = /urn:c2pa:[0-9a-f-]{36}/.exec(marked.toString('latin1'))?.[0] ?? '-';
    assert.ok(twice.includes(label) && !bytes.includes(label), contentType);
  }
});

test('a manifest longer than the pieces that a file is read in is replaced as a whole', async () => {
  const png = SAMPLES[0]?.[1] ?? Buffer.alloc(0);
  await writeFile(path, png);
  const long = { ...optionsOf('image/png'), mark: { ...MARK, prompt: 'x'.repeat(90_000) } };
  assert.equal((await signFile(path, signed, long))?.state, 'signed');
  const outcome = await signFile(signed, again, optionsOf('image/png'));
  assert.ok(outcome?.state === 'signed');
  const twice = await readFile(again);
  assert.ok(original(twice, outcome.splices).equals(await readFile(signed)));
  assert.deepEqual(await decoded('image/png', twice), await decoded('image/png', png));
});

test('a manifest that does not belong to its file stays within, with the failure; one that is damaged is left out', async () => {
  for (const [contentType, bytes] of SAMPLES) {
    if (/webm|matroska/.test(contentType)) continue;
    await writeFile(path, bytes);
    await signFile(path, signed, optionsOf(contentType));
    const whole = await readFile(signed);
    const store = findManifestPlace(signed, contentType)?.store ?? Buffer.alloc(0);
    const begin = whole.indexOf(store.subarray(0, 64));
    const [content, body] = [Math.floor(bytes.length / 2), bytes.subarray(bytes.length / 2, bytes.length / 2 + 24)];
    const inContent = whole.indexOf(body) + (content % 8);
    const inAssertion = begin + store.indexOf('digitalsourcetype');
    const inClaim = begin + store.indexOf('claim_generator_info') + 30;
    for (const [place, failure, reason] of [
      [null, null, null],
      [inContent, contentType.startsWith('image') && contentType !== 'image/avif' ? 'dataHash' : 'bmffHash', null],
      [inAssertion, 'hashedURI', null],
      [inClaim, null, /output \(claimSignature\.mismatch\)/],
      [begin + store.indexOf('c2pa.claim.v2') + 14 + 8, null, /cannot be read/],
    ] as const) {
      const changed = Buffer.from(whole);
      if (place !== null) changed[place]! ^= 1;
      await writeFile(path, changed);
      const where = `${contentType}, ${failure}, ${reason}`;
      const outcome = await signFile(path, again, { ...optionsOf(contentType), ingredients: [] });
      assert.ok(outcome?.state === 'signed', where);
      if (reason === null) assert.deepEqual(outcome.leftOut, [], where);
      else assert.match(outcome.leftOut.join(), reason, where);
      const own = findManifestPlace(again, contentType)?.store ?? Buffer.alloc(0);
      const told = own.includes(`assertion.${failure}.mismatch`);
      assert.equal(told, failure !== null, where);
      assert.equal(own.includes('notValidated'), reason === null, where);
    }
  }
});

test('zeros behind the last box of a film stay behind it; with anything else there, nothing is signed', async () => {
  for (const contentType of ['video/mp4', 'video/quicktime', 'image/avif']) {
    const [, film = Buffer.alloc(0)] = SAMPLES.find(([type]) => type === contentType) ?? [];
    for (const length of [4, 8, 100]) {
      await writeFile(path, Buffer.concat([film, Buffer.alloc(length)]));
      assert.equal((await signFile(path, signed, optionsOf(contentType)))?.state, 'signed', contentType);
      assert.ok((await readFile(signed)).subarray(-length).equals(Buffer.alloc(length)));
    }
    await writeFile(path, Buffer.concat([film, Buffer.from('sixteen bytes of')]));
    await assert.rejects(signFile(path, signed, optionsOf(contentType)), {
      name: 'MediaFault',
      message: /behind its last/,
    });
  }
});

test('a file whose manifest is too long to keep with the task stays as it is', async () => {
  const png = SAMPLES[0]?.[1] ?? Buffer.alloc(0);
  const chunk = Buffer.alloc(200_000 + 12);
  chunk.writeUInt32BE(200_000);
  chunk.write('caBX', 4);
  await writeFile(path, Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)]));
  assert.deepEqual(await signFile(path, signed, optionsOf('image/png')), { state: 'kept' });
});

test('a damaged file is signed or is a media fault, in a media process as here', async () => {
  const change = fc.array(fc.tuple(fc.nat(600), fc.constantFrom(0, 1, 127, 255)), { minLength: 1, maxLength: 8 });
  const signedSamples: (readonly [string, Buffer])[] = [];
  for (const [contentType, bytes] of SAMPLES) {
    await writeFile(path, bytes);
    if ((await signFile(path, signed, optionsOf(contentType))) !== null)
      signedSamples.push([contentType, await readFile(signed)]);
  }
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...signedSamples),
      change,
      fc.nat(),
      async ([contentType, bytes], changes, cut) => {
        const damaged = Buffer.from(cut % 3 === 0 ? bytes.subarray(0, cut % bytes.length) : bytes);
        for (const [at, value] of changes) if (at < damaged.length) damaged[at] = value;
        await writeFile(path, damaged);
        const result = await signFile(path, signed, optionsOf(contentType)).catch((error: unknown) => error);
        if (result instanceof Error) assert.ok(result instanceof MediaFault, String(result.stack));
        else if (result !== null && (result as { state: string }).state === 'signed')
          assert.ok(original(await readFile(signed), (result as { splices: Splice[] }).splices).equals(damaged));
      },
    ),
    { numRuns: 200 },
  );
  const tools = createMediaTools({ size: 1 });
  const call = { owner: 'key_1' };
  await writeFile(path, SAMPLES[0]?.[1] ?? '');
  const outcome = await tools.markFile(path, signed, optionsOf('image/png'), call);
  assert.ok(outcome?.state === 'signed');
  await writeFile(path, 'no picture');
  await assert.rejects(tools.markFile(path, signed, optionsOf('image/png'), call), { name: 'MediaFault' });
  await tools.close();
});

test('a key that cannot sign is told without a word of it', async () => {
  const other = await testSigning('Ed25519');
  assert.equal(signingFault(SIGNING), null);
  assert.equal(signingFault(other), null);
  const faults = [
    { ...SIGNING, key: other.key },
    { ...SIGNING, certificates: '' },
    { ...SIGNING, key: 'secret' },
  ].map(signingFault);
  assert.match(faults.join('\n'), /does not belong.*\n.*found none\n.*not valid PEM/);
  assert.ok(!faults.join().includes('secret'));
});
