import sharp from 'sharp';

/** What fakes answer with where the result comes inside the answer. */
export const smallPicture: Promise<Buffer> = sharp({
  create: { width: 48, height: 32, channels: 3, background: '#a63' },
})
  .png()
  .toBuffer();
