import { world } from '@darkroom-service/contract';

/** An open stream of events, as the process looks after all of them together. */
export interface EventStream {
  /** The credential that opened it: streams of one credential end together. */
  readonly credential: string;
  /** Whether the credential still works. */
  readonly check: () => Promise<boolean>;
  /** Called every second or two: sends a heartbeat when one is due. */
  readonly beat: () => void;
  readonly end: () => void;
}

export interface EventStreams {
  /** @returns a function that takes it out again. */
  add(stream: EventStream): () => void;
}

/**
 * A stream may last for hours: whether its key may still read is looked at this often, once for all streams of a
 * credential.
 */
const LOOK_EVERY_MS = 1_500;

export function createEventStreams(): EventStreams {
  const streams = new Set<EventStream>();
  let timer: NodeJS.Timeout | null = null;
  let looking = false;

  async function look(): Promise<void> {
    for (const stream of streams) stream.beat();
    if (looking) return;
    looking = true;
    const byCredential = Map.groupBy(streams, ({ credential }) => credential);
    for (const ofOne of byCredential.values()) {
      // Without the database, permissions are unknown, but streams send nothing new meanwhile.
      const isGood = (await ofOne[0]?.check().catch(() => true)) ?? true;
      if (!isGood) for (const stream of ofOne) stream.end();
    }
    looking = false;
  }

  return {
    add(stream) {
      streams.add(stream);
      timer ??= world.setInterval(() => void look(), LOOK_EVERY_MS).unref();
      return () => {
        streams.delete(stream);
        if (streams.size > 0 || timer === null) return;
        world.clearInterval(timer);
        timer = null;
      };
    },
  };
}
