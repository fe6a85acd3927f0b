import { SERVICE_URL } from './service-url.ts';
import { createStore } from './store.ts';

const ASK_AGAIN_MS = 1_500;

/** Whether the service answers. While it does not, it is asked until it does. */
export const connectionStore = createStore<'up' | 'down'>('up');

/** Called by whoever found that nobody answers. */
export function reportSilence(): void {
  if (connectionStore.get() === 'up') setTimeout(askAgain, ASK_AGAIN_MS);
  connectionStore.set('down');
}

async function askAgain(): Promise<void> {
  const isUp = await fetch(`${SERVICE_URL}healthz`, { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (isUp) connectionStore.set('up');
  else setTimeout(askAgain, ASK_AGAIN_MS);
}
