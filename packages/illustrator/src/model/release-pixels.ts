/**
 * Frees the memory of pixels; they must not be read afterwards. Otherwise the frames of a film would accumulate
 * hundreds of megabytes until a garbage collection, and each new frame would be memory that the system has to clear
 * first.
 */
export function releasePixels({ buffer }: Uint8Array | Uint8ClampedArray): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}
