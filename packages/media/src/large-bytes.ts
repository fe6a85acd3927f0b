/** Memory that `allocateBytes` returned and that is not freed; other memory may be in use elsewhere. */
const ours = new WeakMap<ArrayBufferLike, { readers: number; isDone: boolean }>();

/** Allocates memory for a large file; `freeBytes` releases it before the garbage collector would. */
export function allocateBytes(length: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(length);
  ours.set(bytes.buffer, { readers: 0, isDone: false });
  return bytes;
}

/**
 * Frees memory that `allocateBytes` returned, once nobody is within `readBytes`. Then all views of it have no bytes.
 */
export function freeBytes({ buffer }: Uint8Array): void {
  const state = ours.get(buffer);
  if (state === undefined || !(buffer instanceof ArrayBuffer)) return;
  state.isDone = true;
  if (state.readers > 0) return;
  ours.delete(buffer);
  buffer.transfer(0);
}

/** Keeps the memory of a file while it is read outside of this turn of the event loop, such as by a write to a disk. */
export async function readBytes<T>(bytes: Uint8Array, read: () => Promise<T>): Promise<T> {
  const state = ours.get(bytes.buffer);
  if (state !== undefined) state.readers++;
  try {
    return await read();
  } finally {
    if (state !== undefined && --state.readers === 0 && state.isDone) freeBytes(bytes);
  }
}
