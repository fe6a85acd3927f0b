import { isoTime } from '@darkroom-service/contract';
import { type Act, recordAct, recordChange } from '../accounts/audit.ts';
import type { Database, Session } from '../database/database.ts';

/** Kind of an object that an operator may switch off: an engine, or a model of the catalog. */
export type SwitchKind = 'engine' | 'model';

/** An engine or a model that an operator has switched off. */
export interface SwitchView {
  readonly kind: SwitchKind;
  readonly name: string;
  readonly paused_at: string;
  readonly reason: string | null;
}

const MODEL = 'model:';

/** Returns the subject of the valve. */
export function subjectOfSwitch(kind: SwitchKind, name: string): string {
  return kind === 'model' ? `${MODEL}${name}` : name;
}

/** Lists the engines and models that an operator has switched off. */
export async function listSwitchedOff(session: Session): Promise<SwitchView[]> {
  const rows = await session.all(
    session.builder
      .selectFrom('valves')
      .select(['subject', 'since', 'message'])
      .where('kind', '=', 'switched_off')
      .orderBy('subject'),
  );
  return rows.map(({ subject, since, message }) => {
    const isModel = subject.startsWith(MODEL);
    const name = isModel ? subject.slice(MODEL.length) : subject;
    return { kind: isModel ? 'model' : 'engine', name, paused_at: isoTime(since), reason: message };
  });
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
    const subject = subjectOfSwitch(kind, name);
    const known = await trx.first(
      trx.builder
        .selectFrom('valves')
        .select('message')
        .where('subject', '=', subject)
        .where('kind', '=', 'switched_off'),
    );
    await trx.run(
      trx.builder
        .insertInto('valves')
        .values({ subject, kind: 'switched_off', since: by.now, message: reason, times: 1 })
        .onConflict((conflict) => conflict.columns(['subject', 'kind']).doUpdateSet({ message: reason })),
    );
    const before = { paused: known !== undefined, reason: known?.message ?? null };
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
    const removed = await trx.run(
      trx.builder
        .deleteFrom('valves')
        .where('subject', '=', subjectOfSwitch(kind, name))
        .where('kind', '=', 'switched_off'),
    );
    if (removed > 0) await recordAct(trx, by, { act: `${kind}.resume`, target: name });
  });
}
