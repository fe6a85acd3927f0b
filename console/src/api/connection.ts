import { SERVICE_URL } from './service-url.ts';
import { createStore } from './store.ts';

const ASK_AGAIN_MS = 1_500;
const PATIENCE_MS = 5_000;

/** Whether the service answers. While it does not, the console polls it. */
export const connectionStore = createStore<'up' | 'down'>('up');

/** Milliseconds since 1970 when the service stopped answering; null while it answers. */
export const silentSinceStore = createStore<number | null>(null);

let timer: ReturnType<typeof setTimeout> | undefined;

/** Records that a request had no response, and starts polling. */
export function reportSilence(): void {
  if (connectionStore.get() === 'up') timer = setTimeout(askNow, ASK_AGAIN_MS);
  if (silentSinceStore.get() === null) silentSinceStore.set(Date.now());
  connectionStore.set('down');
}

/** Polls at once, and again until there is an answer. */
export async function askNow(): Promise<void> {
  clearTimeout(timer);
  const isUp = await fetch(`${SERVICE_URL}healthz`, {
    cache: 'no-store',
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).then(
    ({ ok }) => ok,
    () => false,
  );
  clearTimeout(timer);
  if (!isUp) timer = setTimeout(askNow, ASK_AGAIN_MS);
  if (isUp) silentSinceStore.set(null);
  else if (silentSinceStore.get() === null) silentSinceStore.set(Date.now());
  connectionStore.set(isUp ? 'up' : 'down');
}

/** Resolves once the service answers, or at once if it does now. */
export async function untilAnswering(): Promise<void> {
  await askNow();
  if (connectionStore.get() === 'up') return;
  await new Promise<void>((resolve) => {
    const unsubscribe = connectionStore.subscribe(() => {
      unsubscribe();
      resolve();
    });
  });
}
