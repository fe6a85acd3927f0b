import { world } from '@darkroom-service/contract';

/** Under npm, a process gets Ctrl-C twice: from the terminal and from npm. */
export const SAME_KEYSTROKE_MS = 150;

const INTERRUPTED_EXIT_CODE = 130;

/** Handles Ctrl-C during work whose state should be reported first. A second Ctrl-C ends the process at once. */
interface Interruption {
  readonly signal: AbortSignal;
  release(): void;
}

/** Watches for Ctrl-C until `release` is called. */
export function watchInterruption(): Interruption {
  const controller = new AbortController();
  let since: number | null = null;
  const onInterrupt = () => {
    if (since !== null && world.now() - since > SAME_KEYSTROKE_MS) process.exit(INTERRUPTED_EXIT_CODE);
    since ??= world.now();
    controller.abort();
  };
  process.on('SIGINT', onInterrupt);
  return { signal: controller.signal, release: () => process.off('SIGINT', onInterrupt) };
}
