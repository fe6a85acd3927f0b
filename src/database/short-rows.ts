import type { Session } from './database.ts';
import { SHORT_ROWS } from './migrations/0031-short-rows.ts';

/** Long enough to end the processes of the version before. */
const BOTH_VERSIONS_MS = 24 * 60 * 60 * 1000;
/** A database whose schema was made at once never had another version. */
const AT_ONCE_MS = 60_000;

/**
 * Returns from when on rows may be written in their short form: processes of the version before, which may run beside
 * this one after an upgrade, cannot read it.
 */
export async function shortRowsFrom(read: Session): Promise<number> {
  const steps = await read.all(
    read.builder
      .selectFrom('schema_migrations')
      .select(['version', 'applied_at'])
      .where(({ or, eb }) => or([eb('version', '=', 1), eb('name', '=', SHORT_ROWS)])),
  );
  const times = steps.map(({ applied_at }) => applied_at);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  return last - first < AT_ONCE_MS ? 0 : last + BOTH_VERSIONS_MS;
}
