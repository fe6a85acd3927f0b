import type { Session } from '../../database/database.ts';
import type { TaskRow } from '../../record/task.ts';
import type { AuditReport } from '../check.ts';

const SLICE = 1_000;
const LEDGER_SLICE = 10_000;

/** Checks whether each checkpoint equals the sum of its entries. Reads the ledger once, in slices. */
export async function auditBalances(session: Session): Promise<AuditReport> {
  const checkpoints = await session.all(session.builder.selectFrom('ledger_checkpoints').selectAll());
  const sums = new Map<string, number>();
  const limits = new Map(checkpoints.map((one) => [`${one.account_id} ${one.mode}`, one]));
  let looked = 0;
  for (let from = ''; ; ) {
    const rows = await session.all(
      session.builder
        .selectFrom('ledger')
        .select(['task_id', 'account_id', 'mode', 'amount', 'created_at'])
        .where('task_id', '>', from)
        .orderBy('task_id')
        .limit(LEDGER_SLICE),
    );
    // The last task of a full slice may have more entries; it is read again whole.
    const last = rows.length < LEDGER_SLICE ? null : (rows.at(-1)?.task_id ?? null);
    const whole = rows.filter(({ task_id }) => task_id !== last);
    for (const row of whole) {
      const name = `${row.account_id} ${row.mode}`;
      if (row.created_at < (limits.get(name)?.until ?? 0)) sums.set(name, (sums.get(name) ?? 0) + row.amount);
    }
    looked += whole.length;
    if (last === null) break;
    from = whole.at(-1)?.task_id ?? from;
  }
  const faults = [...limits].flatMap(([name, { balance }]) => {
    const sum = sums.get(name) ?? 0;
    return sum === balance ? [] : [`account ${name}: the checkpoint says ${balance}, its entries add up to ${sum}`];
  });
  return { looked, faults };
}

type Audited = Pick<TaskRow, 'id' | 'step' | 'price' | 'charged' | 'refunded' | 'fence' | 'line'>;

/**
 * Checks whether every order has its hold, and whether every final one was settled once: hold = charge + release, and a
 * refund is the whole charge. Reads in slices.
 */
export async function auditSettlements(session: Session): Promise<AuditReport> {
  const faults: string[] = [];
  let looked = 0;
  for (let from = ''; ; ) {
    const tasks = await session.all(selectTasks(session).where('id', '>', from).orderBy('id').limit(SLICE));
    for (const [task, fault] of await judge(session, tasks)) {
      if (fault === null) continue;
      // It may have been settled or refunded between the two reads.
      const sure = await recheck(session, task.id);
      if (sure !== null) faults.push(sure);
    }
    looked += tasks.length;
    if (tasks.length < SLICE) return { looked, faults };
    from = tasks.at(-1)?.id ?? from;
  }
}

function selectTasks(session: Session) {
  return session.builder.selectFrom('tasks').select(['id', 'step', 'price', 'charged', 'refunded', 'fence', 'line']);
}

async function judge(session: Session, tasks: readonly Audited[]): Promise<[Audited, string | null][]> {
  if (tasks.length === 0) return [];
  const entries = await session.all(
    session.builder
      .selectFrom('ledger')
      .select(['task_id', 'kind', 'amount'])
      .where(
        'task_id',
        'in',
        tasks.map(({ id }) => id),
      ),
  );
  const byTask = Map.groupBy(entries, ({ task_id }) => task_id);
  return tasks.map((task) => [task, faultOf(task, byTask.get(task.id) ?? [])]);
}

async function recheck(session: Session, id: string): Promise<string | null> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const before = await session.first(selectTasks(session).where('id', '=', id));
    if (before === undefined) return null;
    const [judged] = await judge(session, [before]);
    const after = await session.first(selectTasks(session).where('id', '=', id));
    if (after?.fence === before.fence && after.step === before.step && after.refunded === before.refunded)
      return judged?.[1] ?? null;
  }
  return null;
}

function faultOf(
  { id, step, price, charged, refunded, line }: Audited,
  entries: readonly { readonly kind: string; readonly amount: number }[],
): string | null {
  const sumOf = (kind: string) =>
    entries.filter((entry) => entry.kind === kind).reduce((sum, { amount }) => sum + amount, 0);
  const isFinal = step === 'final';
  // One hold covers all orders of a group, which its addition audits.
  const hold = line === 0 ? -price : 0;
  const refund = refunded ?? 0;
  const expected = { hold, release: isFinal ? price : 0, charge: isFinal ? -(charged ?? 0) - refund : 0, refund };
  const wrong = Object.entries(expected).filter(([kind, amount]) => sumOf(kind) !== amount);
  if (wrong.length === 0) return null;
  const differences = wrong.map(([kind, amount]) => `its ${kind} is ${sumOf(kind)} instead of ${amount}`);
  return `task ${id} (${isFinal ? 'final' : 'open'}): ${differences.join(', ')}`;
}
