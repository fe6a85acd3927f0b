/**
 * Resolves when the observed event ends it, after a given time, or when the signal is aborted.
 * @param listen returns a function that stops listening
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
