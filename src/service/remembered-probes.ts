import { world } from '@darkroom-service/contract';
import type { MediaTools, Probe } from '@darkroom-service/media';

/** Time within which an order usually follows its price, also if a person is asked in between. */
const REMEMBERED_MS = 10 * 60_000;
const REMEMBERED = 500;

interface Remembered {
  readonly probe: Probe;
  readonly until: number;
}

/**
 * Remembers measurements of files with a digest, so that an order whose price was asked before is not examined again.
 * Each key, and each end user of one, has its own.
 */
export function rememberProbes(media: MediaTools): MediaTools {
  const known = new Map<string, Remembered>();
  return {
    ...media,
    async probe(path, call) {
      const { owner, endUser = null, digest } = call;
      if (digest === undefined) return await media.probe(path, call);
      const name = JSON.stringify([owner, endUser, digest()]);
      const found = known.get(name);
      if (found !== undefined && world.monotonic() < found.until) return found.probe;
      const probe = await media.probe(path, call);
      known.delete(name);
      known.set(name, { probe, until: world.monotonic() + REMEMBERED_MS });
      for (const oldest of known.keys()) {
        if (known.size <= REMEMBERED) break;
        known.delete(oldest);
      }
      return probe;
    },
  };
}
