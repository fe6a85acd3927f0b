import { SERVICE_URL } from './service-url.ts';
import { createStore } from './store.ts';

const ASK_AGAIN_MS = 1_500;
const PATIENCE_MS = 5_000;

/** Whether the service answers. While it does not, it is asked until it does. */
export const connectionStore = createStore<'up' | 'down'>('up');

let timer: ReturnType<typeof setTimeout> | undefined;

/** Called by whoever found that nobody answers. */
export function reportSilence(): void {
  if (connectionStore.get() === 'up') timer = setTimeout(askNow, ASK_AGAIN_MS);
  connectionStore.set('down');
}

/** Asks at once, and goes on asking if there is no answer. */
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
  connectionStore.set(isUp ? 'up' : 'down');
}

/** Once the service answers: at once if it does now. */
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
