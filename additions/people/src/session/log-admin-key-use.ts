import type { ApiKey, Kernel } from '@darkroom-service/darkroom/kernel';

const DAY_MS = 86_400_000;

/**
 * Records in the audit log the use of admin keys where people sign in, once a day for each key: they work while the
 * provider is unavailable, and so also bypass it.
 */
export function logAdminKeyUse({
  accounts,
  clock,
  log,
  store,
}: Pick<Kernel, 'accounts' | 'clock' | 'log' | 'store'>): (key: ApiKey) => void {
  const noted = new Map<string, number>();
  return ({ id, name }) => {
    const now = clock.now();
    const day = Math.floor(now / DAY_MS);
    if (noted.get(id) === day) return;
    noted.set(id, day);
    const act = { act: 'admin_key.use', target: id, detail: { name, instead_of: 'sign-in' } };
    const by = { actor: { id, name, kind: 'key' as const }, now, createId: store.createId };
    store
      .write('note_admin_key', (trx) => accounts.record(trx, by, act))
      .catch((error: unknown) => {
        noted.delete(id);
        log.warn({ err: error, key: id }, 'could not note the use of an admin key');
      });
  };
}
