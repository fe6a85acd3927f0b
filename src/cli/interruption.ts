/** Ctrl-C under npm reaches a process twice at once: from the terminal, and passed on by npm. */
export const SAME_KEYSTROKE_MS = 150;

const INTERRUPTED_EXIT_CODE = 130;

/** Ctrl-C while something is under way that should be told about first. A second one ends the process on the spot. */
export interface Interruption {
  readonly signal: AbortSignal;
  release(): void;
}

export function watchInterruption(): Interruption {
  const controller = new AbortController();
  let since: number | null = null;
  const onInterrupt = () => {
    if (since !== null && Date.now() - since > SAME_KEYSTROKE_MS) process.exit(INTERRUPTED_EXIT_CODE);
    since ??= Date.now();
    controller.abort();
  };
  process.on('SIGINT', onInterrupt);
  return { signal: controller.signal, release: () => process.off('SIGINT', onInterrupt) };
}
