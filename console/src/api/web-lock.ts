/** The browser's lock manager; absent except on https and localhost. */
const locks: LockManager | undefined = navigator.locks;

export const HAS_LOCKS = locks !== undefined;

/**
 * Runs work while no other tab of this browser holds the lock. A tab that is closed or crashes loses its locks. Without
 * locks the work runs at once, also in several tabs.
 * @param signal ends the wait for the lock; the promise then rejects with its reason
 */
export async function withLock<T>(name: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  if (locks === undefined) return await work();
  return (await locks.request(name, signal === undefined ? {} : { signal }, work)) as T;
}
