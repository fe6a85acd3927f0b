import { connectionStore } from './connection.ts';

/** Milliseconds from which a silence counts as an outage; a shorter one is a lost answer. */
const OUTAGE_MS = 2_500;

/** Calls back when waiting may be over: the service answers again, the browser is online, or the page is visible. */
export function onWake(listener: () => void): () => void {
  const whenVisible = () => {
    if (document.visibilityState === 'visible') listener();
  };
  let downSince = Date.now();
  const unsubscribe = connectionStore.subscribe(() => {
    if (connectionStore.get() === 'down') downSince = Date.now();
    else if (Date.now() - downSince > OUTAGE_MS) listener();
  });
  window.addEventListener('online', listener);
  window.addEventListener('pageshow', whenVisible);
  document.addEventListener('visibilitychange', whenVisible);
  return () => {
    unsubscribe();
    window.removeEventListener('online', listener);
    window.removeEventListener('pageshow', whenVisible);
    document.removeEventListener('visibilitychange', whenVisible);
  };
}
