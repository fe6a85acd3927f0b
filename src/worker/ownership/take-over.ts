import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { world } from '@darkroom-service/contract';
import { callTimeoutOf } from '@darkroom-service/engines';
import { acquireEndedLock, type HeartbeatReport, monotonicMs, type SilentProcess } from '@darkroom-service/store';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Session, Transaction } from '../../database/database.ts';
import { databaseNow } from '../../database/database-now.ts';
import { IN_FLIGHT } from '../../queue/in-flight.ts';
import { queuesOf } from '../../queue/queue-names.ts';
import { updateUnlocked } from '../../record/update-unlocked.ts';
import type { ProcessFolder } from '../spool/answer-spool.ts';
import type { WorkerServices } from '../worker-services.ts';
import { judgeOwnership, type OwnershipTerms } from './ownership.ts';

/**
 * Makes tasks due whose owner has ended: a commit of the owner reached the database after its tasks were taken over or
 * it had left.
 * @returns the number of tasks
 */
export async function takeOverOwnerless(database: Database): Promise<number> {
  const now = await databaseNow(database.read);
  if ((await database.read.first(ownerless(database.read, now).limit(1))) === undefined) return 0;
  return await database.write('take_over', (trx) =>
    trx.run(updateUnlocked(trx.builder, ownerless(trx, now)).set({ next_at: now })),
  );
}

function ownerless({ builder }: Session, now: number) {
  return builder
    .selectFrom('tasks')
    .select('id')
    .where(IN_FLIGHT)
    .where('worker', 'is not', null)
    .where('next_at', '>', now)
    .where(
      sql<boolean>`not exists (select 1 from processes where processes.id = tasks.worker and processes.ended_at is null)`,
    );
}

/** Takes over the tasks of processes that have ended or fallen silent. */
interface TakeOver {
  stop(): Promise<void>;
}

/** The tasks of a silent process that are taken over. */
export interface Scope {
  /**
   * The tasks in a step with a possibly open paid call that are taken over too: all, those of these queues, or those of
   * all other queues.
   */
  readonly withoutTrace: 'all' | { readonly queues: readonly string[] } | { readonly otherThan: readonly string[] };
}

/** Tasks per statement: a process keeps the leases of all orders that run for it, which may be ten thousand. */
const TAKEN_AT_ONCE = 500;

const WITHOUT_TRACE = sql<boolean>`step = 'submitting'`;

/**
 * Starts to take over tasks: at every heartbeat of this process, finds processes that have ended or fallen silent and
 * makes their tasks due, so that any process with free capacity claims them.
 * @param settleAnswers stores the answers that an ended process left on disk, before its tasks are taken over. If it
 * throws, the process counts as silent: its answers may be lost, or readable later.
 */
export function startTakeOver(work: WorkerServices, settleAnswers: (ended: ProcessFolder) => Promise<void>): TakeOver {
  const { services, leaseMs } = work;
  /** Time of the last examination of each silent process, and the scope of the tasks that were taken. */
  const looked = new Map<string, { readonly atMs: number; readonly scope: string }>();
  let sweptAtMs = world.monotonic();
  let stopping = false;
  let running: Promise<void> | null = null;
  const end = work.heartbeat.onReport((report) => {
    // The processes known to a suspended copy are its original's, as are the answers that they left here.
    if (report.kind !== 'confirmed' || stopping || !work.installation.mayAdvance()) return;
    running ??= lookAt(report).finally(() => {
      running = null;
    });
  });

  async function lookAt(report: Extract<HeartbeatReport, { kind: 'confirmed' }>): Promise<void> {
    for (const id of looked.keys()) if (!report.silent.some((silent) => silent.id === id)) looked.delete(id);
    await sweepOwnerless();
    for (const silent of report.silent) {
      // The report is from before a pause of this process: the others may have sent heartbeats since.
      if (stopping || monotonicMs() - report.atMs > leaseMs / 2) return;
      try {
        if (silent.lock === 'free' && (await takeOverEnded(silent))) continue;
        await takeOverSilent({ ...silent, lock: 'unknown' }, report.confirmedForMs);
      } catch (error) {
        services.log.error(
          { err: error, owner: silent.id },
          'could not take over tasks; retrying at the next heartbeat',
        );
      }
    }
  }

  async function sweepOwnerless(): Promise<void> {
    if (world.monotonic() - sweptAtMs < leaseMs) return;
    sweptAtMs = world.monotonic();
    try {
      const tasks = await takeOverOwnerless(services.database);
      if (tasks === 0) return;
      services.figures.tookOver({ reason: 'ended', tasks });
      services.log.warn({ tasks }, 'took over tasks whose owner had ended before');
      services.wakeRunner();
    } catch (error) {
      services.log.error({ err: error }, 'could not look for tasks without an owner; retrying');
    }
  }

  /** @returns false if it is unknown which answers the process left */
  async function takeOverEnded(ended: SilentProcess): Promise<boolean> {
    const lock = acquireEndedLock(ended.lockPath);
    // Another process is taking them over.
    if (lock === null) return true;
    let isDone = false;
    try {
      const data = dirname(dirname(ended.lockPath));
      const path = join(data, 'spool', ended.id);
      await settleAnswers({ processId: ended.id, path });
      isDone = await takeOver(ended, { withoutTrace: 'all' });
      // Without the lock, no later start would know whose files these are.
      if (isDone) await rm(join(data, 'tmp', ended.id), { recursive: true, force: true });
      return true;
    } catch (error) {
      services.log.error(
        { err: error, owner: ended.id },
        'could not take over the tasks of an ended process; retrying',
      );
      return false;
    } finally {
      lock.release({ keepsFile: !isDone });
    }
  }

  async function takeOverSilent(silent: SilentProcess, confirmedForMs: number): Promise<void> {
    const scope = scopeOf(work, silent, { leaseMs, confirmedForMs });
    if (scope === null) return;
    const before = looked.get(silent.id);
    const key = JSON.stringify(scope);
    const nowMs = world.monotonic();
    if (before !== undefined && before.scope === key && nowMs - before.atMs < leaseMs) return;
    await takeOver(silent, scope);
    looked.set(silent.id, { atMs: nowMs, scope: key });
  }

  /** @returns whether no task of it is left */
  async function takeOver(owner: SilentProcess, scope: Scope): Promise<boolean> {
    let taken = 0;
    let isDone = false;
    for (let last = TAKEN_AT_ONCE; last === TAKEN_AT_ONCE; taken += last)
      ({ taken: last, isDone } = await services.database.write('take_over', (trx) =>
        takeOverWithin(trx, owner, scope),
      ));
    if (taken === 0) return isDone;
    const isEnded = owner.lock === 'free';
    services.figures.tookOver({ reason: isEnded ? 'ended' : 'silent', tasks: taken });
    services.log.warn(
      { owner: owner.id, host: owner.host, tasks: taken, lock: owner.lock, silent_ms: Math.round(owner.silentForMs) },
      isEnded ? 'took over tasks of an ended process' : 'took over tasks of a silent process',
    );
    services.wakeRunner();
    return isDone;
  }

  return {
    async stop() {
      stopping = true;
      end();
      await running;
    },
  };
}

/** Returns the tasks of a silent process that can be taken over. @returns null if all tasks stay with their owner */
export function scopeOf(
  work: Pick<WorkerServices, 'engines'>,
  owner: SilentProcess,
  terms: OwnershipTerms,
): Scope | null {
  const judge = (isResumable: boolean, callTimeoutMs: number) =>
    judgeOwnership({ isResumable, callTimeoutMs }, owner, terms);
  if (judge(true, 0) === 'keep') return null;
  const engines = [...work.engines.values()];
  const isTaken = (engine: (typeof engines)[number]) =>
    judge(engine.repeatable === true, callTimeoutOf(engine)) !== 'keep';
  // An engine that is not configured here may be configured elsewhere.
  if (judge(false, callTimeoutOf({})) === 'keep')
    return { withoutTrace: { queues: engines.filter(isTaken).flatMap(({ name }) => queuesOf(name)) } };
  const kept = engines.filter((engine) => !isTaken(engine)).flatMap(({ name }) => queuesOf(name));
  return { withoutTrace: kept.length === 0 ? 'all' : { otherThan: kept } };
}

/**
 * Updates through the index of tasks in flight. Rows locked by a transaction of their owner are left for the next
 * round.
 */
export async function takeOverWithin(
  trx: Transaction,
  owner: Pick<SilentProcess, 'id' | 'beats'>,
  scope: Scope,
): Promise<{ readonly taken: number; readonly isDone: boolean }> {
  await trx.lock(`process:${owner.id}`);
  const { builder } = trx;
  const row = await trx.first(builder.selectFrom('processes').select(['beats', 'ended_at']).where('id', '=', owner.id));
  if (row === undefined || row.ended_at !== null) return { taken: 0, isDone: true };
  // It has sent a heartbeat since.
  if (row.beats !== owner.beats) return { taken: 0, isDone: false };
  const now = await databaseNow(trx);
  const claimed = (condition: RawBuilder<boolean>) =>
    builder
      .selectFrom('tasks')
      .select('id')
      .where(IN_FLIGHT)
      .where('worker', '=', owner.id)
      .where('next_at', '>', now)
      .where(condition);
  const taken = await trx.run(
    updateUnlocked(builder, claimed(conditionOf(scope)).limit(TAKEN_AT_ONCE)).set({ next_at: now }),
  );
  if (scope.withoutTrace !== 'all') return { taken, isDone: false };
  const isDone = (await trx.first(claimed(sql<boolean>`true`).limit(1))) === undefined;
  if (isDone) await trx.run(builder.updateTable('processes').set({ ended_at: now }).where('id', '=', owner.id));
  return { taken, isDone };
}

function conditionOf({ withoutTrace }: Scope): RawBuilder<boolean> {
  if (withoutTrace === 'all') return sql<boolean>`true`;
  const list = (queues: readonly string[]) => sql.join(queues.map((queue) => sql`${queue}`));
  if ('otherThan' in withoutTrace)
    return sql<boolean>`(not ${WITHOUT_TRACE} or queue not in (${list(withoutTrace.otherThan)}))`;
  if (withoutTrace.queues.length === 0) return sql<boolean>`not ${WITHOUT_TRACE}`;
  return sql<boolean>`(not ${WITHOUT_TRACE} or queue in (${list(withoutTrace.queues)}))`;
}
