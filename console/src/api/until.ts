/**
 * Resolves when what is listened to ends it, after a time if one is given, and when the signal is aborted.
 * @param listen returns how to stop listening
 */
export async function until(
  signal: AbortSignal,
  listen: (end: () => void) => () => void,
  milliseconds: number | null = null,
): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = milliseconds === null ? undefined : setTimeout(end, milliseconds);
    const stop = listen(end);
    signal.addEventListener('abort', end, { once: true });
    function end() {
      clearTimeout(timer);
      stop();
      signal.removeEventListener('abort', end);
      resolve();
    }
  });
}
