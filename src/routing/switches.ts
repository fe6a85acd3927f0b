import { isoTime } from '@darkroom-service/contract';
import { type Act, recordAct, recordChange } from '../accounts/audit.ts';
import type { Database, Session } from '../database/database.ts';
import type { StartRefresh } from '../database/refresh.ts';

export type SwitchKind = 'engine' | 'model';

/** The engines and models that an operator has paused, as last read. */
export interface Switches {
  isPaused(kind: SwitchKind, name: string): boolean;
  /** Reads at once, after a change made in this process. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

export interface SwitchView {
  readonly kind: SwitchKind;
  readonly name: string;
  readonly paused_at: string;
  readonly reason: string | null;
}

const REFRESH_MS = 1_000;

/** Reads the switches now and every second, so that a pause applies in all processes within a second. */
export async function openSwitches(options: {
  readonly database: Database;
  readonly startRefresh: StartRefresh;
}): Promise<Switches> {
  let paused = new Set<string>();
  const refresh = await options.startRefresh('switches', REFRESH_MS, async () => {
    paused = new Set((await listSwitches(options.database.read)).map((entry) => `${entry.kind}:${entry.name}`));
  });
  return {
    isPaused: (kind, name) => paused.size > 0 && paused.has(`${kind}:${name}`),
    refresh: refresh.now,
    close: refresh.stop,
  };
}

export async function listSwitches(session: Session): Promise<SwitchView[]> {
  const rows = await session.all(session.builder.selectFrom('switches').selectAll().orderBy('kind').orderBy('name'));
  return rows.map(({ kind, name, paused_at, reason }) => ({ kind, name, paused_at: isoTime(paused_at), reason }));
}

/** Refuses new orders; running ones continue. Pausing again replaces the reason. */
export async function pause(
  database: Database,
  by: Act,
  target: { readonly kind: SwitchKind; readonly name: string; readonly reason: string | null },
): Promise<void> {
  await database.write('pause', async (trx) => {
    const { kind, name, reason } = target;
    await by.binding?.within(trx, `${kind}:${name}`);
    await trx.lock(`switch:${kind}:${name}`);
    const known = await trx.first(
      trx.builder.selectFrom('switches').select('reason').where('kind', '=', kind).where('name', '=', name),
    );
    await trx.run(
      trx.builder
        .insertInto('switches')
        .values({ kind, name, reason, paused_at: by.now })
        .onConflict((conflict) => conflict.columns(['kind', 'name']).doUpdateSet({ reason })),
    );
    const before = { paused: known !== undefined, reason: known?.reason ?? null };
    await recordChange(trx, by, {
      act: `${kind}.pause`,
      target: name,
      detail: { reason },
      before,
      after: { paused: true, reason },
    });
  });
}

/** Accepts orders again. Does nothing if it is not paused. */
export async function resume(
  database: Database,
  by: Act,
  target: { readonly kind: SwitchKind; readonly name: string },
): Promise<void> {
  await database.write('resume', async (trx) => {
    const { kind, name } = target;
    await by.binding?.within(trx, `${kind}:${name}`);
    const removed = await trx.run(trx.builder.deleteFrom('switches').where('kind', '=', kind).where('name', '=', name));
    if (removed > 0) await recordAct(trx, by, { act: `${kind}.resume`, target: name });
  });
}
