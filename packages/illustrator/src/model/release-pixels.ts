/**
 * Frees the memory of pixels; they must not be read afterwards. Left to the garbage collector, the frames of a film
 * pile up by the hundred megabytes, and each new one is memory that the system has to clear first.
 */
export function releasePixels({ buffer }: Uint8Array | Uint8ClampedArray): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}
