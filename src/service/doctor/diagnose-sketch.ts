import type { Observation } from '../check.ts';

const REINSTALL = 'Delete node_modules and install the packages again on this machine, in a checkout by `npm ci`.';

/**
 * Tells whether the native parts that read and paint pictures are there. Those that were built for another platform
 * load and then fail, so this paints a small picture.
 */
export async function diagnoseSketch(): Promise<Observation> {
  try {
    const [{ createCanvas }, { default: sharp }] = await Promise.all([import('@napi-rs/canvas'), import('sharp')]);
    const canvas = createCanvas(8, 8);
    canvas.getContext('2d').fillRect(0, 0, 4, 8);
    const { width } = await sharp(canvas.toBuffer('image/png')).metadata();
    if (width === 8) return { status: 'ok', found: 'paints and encodes pictures', advice: null };
    return failed(`a painted picture came out ${width} pixels wide instead of 8`);
  } catch (error) {
    // The lines after the first are the package's own advice.
    return failed(
      `the parts that read and paint pictures cannot be loaded: ${(error as Error).message.split('\n')[0]}`,
    );
  }
}

function failed(found: string): Observation {
  return { status: 'failed', found, advice: REINSTALL };
}
