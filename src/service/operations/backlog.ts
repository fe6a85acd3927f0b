import { sleep } from '@darkroom-service/contract';
import type { Session } from '../../database/database.ts';
import { WORK_KINDS, type WorkKind } from '../../database/work.ts';
import { partsOf } from '../../queue/queue-names.ts';
import { deadlineMsAt, type OrderTimes, silenceMsAt } from '../../record/order-times.ts';
import { figureName } from '../../record/owned-instance.ts';
import type { TaskRow } from '../../record/task.ts';
import { engineOf } from '../../record/task-json.ts';

/** Open orders of one queue at one step. */
export interface BacklogGroup {
  readonly queue: string;
  readonly step: TaskRow['step'];
  tasks: number;
  /**
   * Time at which the oldest order entered the queue: when it was placed, or later if it waited for other tasks or for
   * its batch.
   */
  oldestAt: number;
}

export interface Amount {
  count: number;
  /** Amount in micro-dollars. */
  money: number;
}

/** Open work, over all processes. */
export interface Backlog {
  readonly groups: readonly BacklogGroup[];
  /** Amounts held for live orders that are not final, by engine. */
  readonly held: ReadonlyMap<string, Amount>;
  /**
   * Live orders with an engine past the soft deadline without progress: the engine may bill them and deliver nothing.
   */
  readonly overdue: ReadonlyMap<string, Amount>;
  /** Live orders with an unknown outcome that nobody has resolved. */
  readonly unknown: ReadonlyMap<string, Amount>;
  /** Number of all unresolved orders, together with late results. */
  readonly toReconcile: number;
  /** Pending work by kind. */
  readonly work: readonly { readonly kind: WorkKind; readonly pending: number; readonly oldestAt: number | null }[];
}

/** Rows per read: small, so that a read blocks neither the event loop nor the database server. */
const CHUNK = 2_000;
const PAUSE_MS = 20;
/** Counting stops at this number. */
const WORK_COUNTED = 10_000;
const WITH_ENGINE: readonly string[] = ['submitting', 'running'];

/**
 * Reads every open order once, in chunks with pauses in between: a backlog of 200,000 takes seconds and slows down
 * nobody.
 */
export async function readBacklog(session: Session, options: OrderTimes & { readonly now: number }): Promise<Backlog> {
  const groups = new Map<string, BacklogGroup>();
  const held = new Map<string, Amount>();
  const overdue = new Map<string, Amount>();
  for await (const task of openTasks(session)) {
    const { engine: ofQueue, mode } = partsOf(task.queue);
    const engine = figureName(ofQueue);
    const queue = `${engine}:${mode}`;
    const name = `${queue} ${task.step}`;
    // The deadline begins when a task enters the queue.
    const enteredAt = Math.max(task.created_at, task.deadline_at - deadlineMsAt(options, ofQueue));
    const group = groups.get(name) ?? { queue, step: task.step, tasks: 0, oldestAt: enteredAt };
    groups.set(name, group);
    group.tasks++;
    group.oldestAt = Math.min(group.oldestAt, enteredAt);
    if (task.mode !== 'live') continue;
    add(held, engine, task.price);
    const since = task.progressed_at ?? task.started_at ?? task.created_at;
    if (WITH_ENGINE.includes(task.step) && options.now - since > silenceMsAt(options, ofQueue))
      add(overdue, engine, task.price);
  }
  return {
    groups: [...groups.values()],
    held,
    overdue,
    ...(await readOutcomes(session)),
    work: await readWork(session),
  };
}

/** Reads the index of due times, which has every unfinished order except those that wait for others or a batch. */
async function* openTasks(session: Session) {
  let from = 0;
  /** Orders of the last due time that were already read, since several may share it. */
  let seen = new Set<string>();
  for (;;) {
    const rows = await session.all(
      session.builder
        .selectFrom('tasks')
        .select(['id', 'queue', 'step', 'mode', 'price', 'created_at', 'started_at', 'progressed_at', 'next_at'])
        .select('deadline_at')
        .where('next_at', '>=', from)
        .orderBy('next_at')
        .limit(CHUNK + seen.size),
    );
    for (const row of rows) if (row.step !== 'final' && !seen.has(row.id)) yield row;
    if (rows.length < CHUNK + seen.size) return;
    const last = rows.at(-1)?.next_at ?? 0;
    const ofLast = rows.filter((row) => row.next_at === last).map(({ id }) => id);
    seen = new Set(last === from ? [...seen, ...ofLast] : ofLast);
    from = last;
    await sleep(PAUSE_MS);
  }
}

async function readOutcomes(session: Session): Promise<Pick<Backlog, 'unknown' | 'toReconcile'>> {
  const rows = await session.all(
    session.builder
      .selectFrom('reconciliation')
      .innerJoin('tasks', 'tasks.id', 'reconciliation.task_id')
      .select((expression) => [
        'reconciliation.kind',
        'tasks.route_json',
        expression.fn.countAll<number>().as('count'),
        expression.fn.sum<number>('tasks.price').as('money'),
      ])
      .where('reconciliation.resolved_at', 'is', null)
      .where('tasks.mode', '=', 'live')
      .groupBy(['reconciliation.kind', 'tasks.route_json']),
  );
  const unknown = new Map<string, Amount>();
  for (const row of rows)
    if (row.kind === 'outcome_unknown') add(unknown, figureName(engineOf(row)), Number(row.money), Number(row.count));
  return { unknown, toReconcile: rows.reduce((sum, row) => sum + Number(row.count), 0) };
}

async function readWork(session: Session): Promise<Backlog['work']> {
  const counted = WORK_KINDS.map(async (kind) => {
    const rows = await session.all(
      session.builder
        .selectFrom('work')
        .select('entered_at')
        .where('kind', '=', kind)
        .orderBy('due_at')
        .limit(WORK_COUNTED),
    );
    const oldestAt = rows.reduce((oldest, { entered_at: at }) => Math.min(oldest, at), Number.POSITIVE_INFINITY);
    return { kind, pending: rows.length, oldestAt: rows.length === 0 ? null : oldestAt };
  });
  return await Promise.all(counted);
}

function add(amounts: Map<string, Amount>, engine: string, money: number, count = 1): void {
  const amount = amounts.get(engine) ?? { count: 0, money: 0 };
  amounts.set(engine, amount);
  amount.count += count;
  amount.money += money;
}
