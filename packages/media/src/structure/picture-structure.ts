/** The facts in a picture's structure, read without decoding a pixel. */
export interface PictureStructure {
  /** Width as displayed, after the rotation stored in the file. */
  readonly width: number;
  readonly height: number;
  /** The decoder's memory per pixel if it must decode the picture as a whole; 1 if it decodes row by row. */
  readonly bytesPerPixel: number;
  /** Whether pixels can be transparent; null = unknown (GIF, AVIF). */
  readonly hasAlpha: boolean | null;
}

/** A picture whose bytes contradict its format, or end before it does. */
export class BrokenStructure extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BrokenStructure';
  }
}

/** A picture whose compressed bytes cannot hold the pixels that its header states. */
export class TooFewBytes extends BrokenStructure {}

export const CUT_OFF = 'it ends before its picture does';

/**
 * Checks that compressed bytes can expand to a number of bytes. Each format's coding has a bound that no encoder can
 * exceed.
 * @throws TooFewBytes
 */
export function assertHolds(bytes: number, mostPerByte: number, expanded: number): void {
  if (expanded > bytes * mostPerByte)
    throw new TooFewBytes(`its ${bytes} bytes of pixels cannot hold the size that its header tells`);
}

/** Returns a value that is neither null nor false. @throws BrokenStructure otherwise */
export function whole<Value>(value: Value | null | false): Value {
  if (value === null || value === false) throw new BrokenStructure(CUT_OFF);
  return value;
}

/**
 * Returns the structure of a picture from its parsed header.
 * @param turned whether the picture is shown rotated by 90 degrees
 */
export function structureOf(
  size: { readonly width: number; readonly height: number } | null,
  turned: boolean,
  bytesPerPixel: number,
  hasAlpha: boolean | null = null,
): PictureStructure {
  if (size === null || size.width === 0 || size.height === 0) throw new BrokenStructure('it tells no size');
  const [width, height] = turned ? [size.height, size.width] : [size.width, size.height];
  return { width, height, bytesPerPixel, hasAlpha };
}
