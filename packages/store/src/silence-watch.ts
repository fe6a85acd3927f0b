/** The row of another process. */
interface PeerRow {
  readonly id: string;
  readonly beats: number;
}

/**
 * Measures how long other processes have been silent, by this process's own ticks. Neither a wrong clock nor a pause or
 * an outage of this process counts as silence of another.
 */
interface SilenceWatch {
  /**
   * Records the rows read with a confirmed heartbeat of this process.
   * @param nowMs from a clock that never jumps.
   * @returns for each process, the milliseconds for which it was observed to be silent without interruption.
   */
  observe(nowMs: number, peers: readonly PeerRow[]): ReadonlyMap<string, number>;
  /** Milliseconds for which this process's own heartbeats have been confirmed without interruption. */
  readonly confirmedForMs: number;
}

/**
 * Creates the watch for silent processes.
 * @param gapMs a longer time between two confirmed heartbeats restarts all measurements.
 */
export function createSilenceWatch(gapMs: number): SilenceWatch {
  let lastAt: number | null = null;
  let confirmedForMs = 0;
  let seen = new Map<string, { readonly beats: number; readonly silentForMs: number }>();
  return {
    observe(nowMs, peers) {
      const elapsedMs = lastAt === null ? Number.POSITIVE_INFINITY : nowMs - lastAt;
      const isGap = elapsedMs > gapMs;
      lastAt = nowMs;
      confirmedForMs = isGap ? 0 : confirmedForMs + elapsedMs;
      seen = new Map(
        peers.map(({ id, beats }) => {
          const before = seen.get(id);
          const isSilent = before?.beats === beats && !isGap;
          return [id, { beats, silentForMs: isSilent ? before.silentForMs + elapsedMs : 0 }];
        }),
      );
      return new Map([...seen].map(([id, { silentForMs }]) => [id, silentForMs]));
    },
    get confirmedForMs() {
      return confirmedForMs;
    },
  };
}
