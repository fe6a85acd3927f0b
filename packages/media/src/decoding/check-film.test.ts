import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { bombs } from '@darkroom-service/testing/samples';
import fc from 'fast-check';
import { MediaFault } from '../media-fault.ts';
import { UNTRUSTED_LIMITS } from '../media-limits.ts';
import { checkFilm } from './check-film.ts';

const folder = await mkdtemp(join(tmpdir(), 'check-film-'));
after(() => rm(folder, { recursive: true }));

async function check(bytes: Buffer, format: 'mp4' | 'matroska' = 'mp4'): Promise<void> {
  const path = join(folder, 'film');
  await writeFile(path, bytes);
  checkFilm(path, format, UNTRUSTED_LIMITS.film);
}

const REFUSED = {
  'of 10,000 tracks': [bombs.mp4OfTracks(10_000), /at most 32 tracks, found more/],
  'with 20 MB of times': [bombs.mp4OfTimes(20_000_000), /at most 16777216 bytes of tables/],
  'that claims four thousand million samples': [bombs.mp4OfSamples(2 ** 32 - 1), /at most 1000000 samples/],
  'with a fragment of as many': [bombs.mp4OfFragment(2 ** 32 - 1), /at most 1000000 samples/],
  'of 100,001 boxes': [bombs.mp4OfFreeBoxes(100_001), /at most 100000 boxes/],
  'of boxes within boxes': [bombs.mp4OfBoxes(), /nests boxes/],
} as const;

for (const [what, [bytes, message]] of Object.entries(REFUSED)) {
  test(`an MP4 ${what} is refused before its tables are read`, async () => {
    await assert.rejects(check(bytes), message);
  });
}

test('a Matroska film of 10,000 tracks is refused before its tables are read', async () => {
  await assert.rejects(check(bombs.matroskaOfTracks(10_000), 'matroska'), /at most 32 tracks, found more/);
});

test('a film of as many tracks, times and samples as are allowed passes', async () => {
  await check(bombs.mp4OfTracks(32));
  await check(bombs.matroskaOfTracks(32), 'matroska');
  await check(bombs.mp4OfTimes(16_000_000));
  await check(bombs.mp4OfSamples(1_000_000));
  await check(bombs.mp4OfFragment(1_000_000));
});

test('walking any bytes of a film terminates, and only with a media fault', async () => {
  const names = fc.constantFrom('moov', 'trak', 'stts', 'ctts', 'trun', 'free', 'mdat');
  const box = fc
    .tuple(fc.nat({ max: 40 }), names)
    .map(([size, name]) => Buffer.from([0, 0, 0, size, ...Buffer.from(name)]));
  const element = fc
    .constantFrom('1853806701ffffffffffffff', '1f43b675ff', '1654ae6b84', 'ae80', 'a3')
    .map((hex) => Buffer.from(hex, 'hex'));
  const anything = fc.array(fc.oneof(box, element, fc.uint8Array({ maxLength: 20 })), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(anything, fc.constantFrom('mp4' as const, 'matroska' as const), async (parts, format) => {
      await check(Buffer.concat(parts), format).catch((error: unknown) =>
        assert.ok(error instanceof MediaFault, String(error)),
      );
    }),
  );
});
