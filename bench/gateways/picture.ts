import sharp from 'sharp';

/** How strong the grain is, and which part of the pixels has it. */
export interface Grain {
  readonly strength: number;
  readonly share: number;
}

/** A PNG of 16 KB: flat areas with a few grains. */
export const FLAT: Grain = { strength: 60, share: 0.00075 };
/** A PNG of 1.5 MB: grain in every pixel, as in a photograph. */
export const PHOTOGRAPH: Grain = { strength: 8, share: 1 };

const SIDE = 1024;

/**
 * Draws a sky over hills as a PNG of 1024 × 1024 pixels. Another seed gives another picture of the same size in bytes.
 */
export async function drawPicture({ strength, share }: Grain, seed: number): Promise<Buffer> {
  const pixels = Buffer.alloc(SIDE * SIDE * 3);
  const random = randomNumbers(seed);
  for (let place = 0; place < pixels.length; place += 3) {
    const y = Math.floor(place / 3 / SIDE);
    const x = place / 3 - y * SIDE;
    const isHill = y > 600 + 80 * Math.sin((x >> 3) / 20 + seed);
    const base = isHill ? [60, 110, 70] : [90 + (y >> 4), 140 + (y >> 5), 220];
    const hasGrain = share === 1 || random() < share;
    for (let channel = 0; channel < 3; channel++)
      pixels[place + channel] = base[channel]! + (hasGrain ? Math.floor(random() * strength) : 0);
  }
  return await sharp(pixels, { raw: { width: SIDE, height: SIDE, channels: 3 } })
    .png({ compressionLevel: 6, adaptiveFiltering: true })
    .toBuffer();
}

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
