/** Size from which on a body has memory pages of its own: shorter bodies leave no holes that matter. */
export const OWN_PAGES_BYTES = 1_000_000;
const GROWTH_BYTES = 4_000_000;

export interface CollectedBody {
  readonly bytes: Buffer;
  /** Gives the memory of a long body back at once, without the garbage collector. Its bytes are gone afterwards. */
  free(): void;
}

/** Keeps the chunks of a body as they come. */
interface BodyCollector {
  add(chunk: Buffer): void;
  drop(): void;
  whole(): CollectedBody;
}

/**
 * Keeps a long body in one piece, which grows if its length is not announced, so that the body is never in memory
 * twice.
 * @param announced length of the body in bytes; null = unknown, at most `limit`
 */
export function collectBody(announced: number | null, limit: number): BodyCollector {
  let memory: ArrayBuffer | null = null;
  let filled = 0;
  let chunks: Buffer[] = [];
  let waiting = 0;
  return {
    add(chunk) {
      chunks.push(chunk);
      waiting += chunk.length;
      if (memory === null && (announced ?? waiting) < OWN_PAGES_BYTES) return;
      memory ??= allocate(announced ?? waiting, announced ?? limit);
      if (filled + waiting > memory.byteLength)
        memory.resize(Math.min(Math.max(filled + waiting, memory.byteLength + GROWTH_BYTES), limit));
      const target = new Uint8Array(memory);
      for (const one of chunks) {
        filled += one.copy(target, filled);
        // Chunks that wait for the garbage collector make it run once for each long body.
        freeOwn(one);
      }
      chunks = [];
      waiting = 0;
    },
    drop() {
      memory?.transferToFixedLength(0);
      memory = null;
      chunks = [];
    },
    whole() {
      if (memory === null) return { bytes: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks), free() {} };
      const whole = memory;
      return { bytes: Buffer.from(whole, 0, filled), free: () => void whole.transferToFixedLength(0) };
    },
  };
}

/**
 * Allocates a resizable buffer, which has pages of its own that return to the system. Other buffers of this size would
 * stay in the process, as holes in its heap.
 */
function allocate(bytes: number, most: number): ArrayBuffer {
  return new ArrayBuffer(bytes, { maxByteLength: most });
}

/** Frees the memory of bytes that do not share it. Short buffers share theirs, also with those of other requests. */
function freeOwn({ buffer, length }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transferToFixedLength(0);
}
