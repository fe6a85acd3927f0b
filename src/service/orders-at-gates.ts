import { sql } from 'kysely';
import type { Log } from '../base/log.ts';
import type { Session } from '../database/database.ts';
import type { Addition } from './addition.ts';
import { readAssignments } from './assignments.ts';
import type { Observation } from './check.ts';

/** An addition without which nothing opens its gate, and an order that waits there. */
interface Stranded {
  readonly addition: string;
  readonly order: string;
}

/** Finds orders that wait at the gate of an addition that is not among these. */
export async function findStranded(session: Session, additions: readonly Addition[]): Promise<readonly Stranded[]> {
  const stranded: Stranded[] = [];
  for (const { kind, addition, number } of await readAssignments(session)) {
    if (kind !== 'gate' || additions.some(({ name, gate }) => name === addition && gate !== undefined)) continue;
    const waiting = session.builder
      .selectFrom('tasks')
      .select('id')
      .where('step', '!=', 'final')
      .where(sql<boolean>`(gates & ${sql.lit(2 ** number)}) <> 0`)
      .limit(1);
    const order = await session.first(waiting);
    if (order !== undefined) stranded.push({ addition, order: order.id });
  }
  return stranded;
}

const REMEDY = 'Bring the addition back, or cancel the orders. At their deadline they fail, and cost nothing.';

/** Warns of orders that wait at the gates of additions that this process does not have. */
export async function warnStranded(session: Session, additions: readonly Addition[], log: Log): Promise<void> {
  for (const { addition, order } of await findStranded(session, additions))
    log.warn({ addition, task: order }, `orders wait at the gate of an addition that is not installed. ${REMEDY}`);
}

/** Tells which orders wait at the gates of additions that are not installed, for `darkroom doctor`. */
export async function diagnoseGates(session: Session, additions: readonly Addition[]): Promise<Observation> {
  const stranded = await findStranded(session, additions);
  if (stranded.length === 0) return { status: 'ok', found: 'no order waits for a missing addition', advice: null };
  const found = stranded.map(
    ({ addition, order }) => `orders such as ${order} wait for '${addition}', which is missing`,
  );
  return { status: 'warning', found: found.join('\n'), advice: REMEDY };
}
