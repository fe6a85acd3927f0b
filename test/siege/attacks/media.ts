import { bombs } from '@darkroom-service/testing/samples';
import sharp, { type Sharp } from 'sharp';
import type { Attack } from '../attack.ts';
import { bearer, flood } from './flood.ts';

const MEGABYTE = 1_000_000;

/** Files that are small and take long, or much memory, to look into; and files that only fill the disk. */
export const MEDIA_ATTACKS: readonly Attack[] = [
  uploadOf('AVIF pictures of 8192 pixels a side', 'image/avif', 4, 40, () =>
    plain(8192).avif({ effort: 0, quality: 1 }).toBuffer(),
  ),
  uploadOf('interlaced PNG pictures of 16 bits', 'image/png', 4, 40, () =>
    plain(8000).toColourspace('rgb16').png({ progressive: true, compressionLevel: 9 }).toBuffer(),
  ),
  uploadOf('AVIF pictures just within the limits', 'image/avif', 4, 40, () =>
    plain(4000).avif({ effort: 0, quality: 1 }).toBuffer(),
  ),
  uploadOf('films of 10,000 tracks', 'video/mp4', 2, 20, async () => bombs.mp4OfTracks(10_000)),
  uploadOf('pictures with 30 MB of zeros behind them', 'image/png', 4, 200, async () =>
    Buffer.concat([await plain(16).png().toBuffer(), Buffer.alloc(30 * MEGABYTE)]),
  ),
  {
    name: 'bombs as data URIs of orders',
    who: 'test key',
    prepare: () => plain(8192).avif({ effort: 0, quality: 1 }).toBuffer(),
    async run({ url, testKey }, signal, bomb) {
      const image = `data:image/avif;base64,${bomb.toString('base64')}`;
      const body = JSON.stringify({ model_id: 'sketch', prompt: 'attack', image_urls: [image] });
      const shot = () => ({ path: '/v1/images', headers: bearer(testKey), body });
      return await flood({ url, connections: 4, most: 40, signal, shot });
    },
  },
  {
    name: 'references that trickle',
    who: 'test key',
    async run({ url, testKey, trickleUrl }, signal) {
      return await flood({
        url,
        connections: 4,
        most: 60,
        signal,
        shot: (turn) => ({
          path: '/v1/images',
          headers: bearer(testKey),
          body: JSON.stringify({ model_id: 'sketch', prompt: 'attack', image_urls: [`${trickleUrl}/${turn}.png`] }),
        }),
      });
    },
  },
];

function uploadOf(
  name: string,
  contentType: string,
  connections: number,
  most: number,
  make: () => Promise<Buffer>,
): Attack {
  return {
    name,
    who: 'test key',
    prepare: make,
    async run({ url, testKey }, signal, body) {
      const headers = { ...bearer(testKey), 'content-type': contentType };
      return await flood({ url, connections, most, signal, shot: () => ({ path: '/v1/files', headers, body }) });
    },
  };
}

function plain(side: number): Sharp {
  return sharp({ create: { width: side, height: side, channels: 3, background: '#365' } });
}
