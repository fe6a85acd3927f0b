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
 * Takes over tasks: at every heartbeat of this process, finds processes that have ended or fallen silent and makes
 * their tasks due, so that any process with free capacity claims them. Another process is
 *
 * - *ended* (`#takeOverEnded`): its lock is free here. Its answers on disk are stored, and all its tasks are taken.
 * - *silent* (`#takeOverSilent`): it may still run. Only tasks are taken that no open paid call can have, in a scope
 *   that grows with its silence.
 * - *gone* (`#sweepOwnerless`): a task of it appeared after it had been taken over.
 */
export class TakeOver {
  readonly #work: WorkerServices;
  readonly #settleAnswers: (ended: ProcessFolder) => Promise<void>;
  /** Time of the last examination of each silent process, and the scope of the tasks that were taken. */
  readonly #examined = new Map<string, { readonly atMs: number; readonly scope: string }>();
  #sweptAtMs = world.monotonic();
  readonly #endReports: () => void;
  #running: Promise<void> | null = null;
  #isStopping = false;

  /**
   * Starts to take over tasks.
   * @param settleAnswers stores the answers that an ended process left on disk, before its tasks are taken over. If it
   * throws, the process counts as silent: its answers may be lost, or readable later.
   */
  constructor(work: WorkerServices, settleAnswers: (ended: ProcessFolder) => Promise<void>) {
    this.#work = work;
    this.#settleAnswers = settleAnswers;
    this.#endReports = work.heartbeat.onReport((report) => {
      // The processes known to a suspended copy are its original's, as are the answers that they left here.
      if (report.kind !== 'confirmed' || this.#isStopping || !work.installation.mayAdvance()) return;
      this.#running ??= this.#examine(report).finally(() => {
        this.#running = null;
      });
    });
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#endReports();
    await this.#running;
  }

  async #examine(report: Extract<HeartbeatReport, { kind: 'confirmed' }>): Promise<void> {
    const { services, leaseMs } = this.#work;
    for (const id of this.#examined.keys())
      if (!report.silent.some((silent) => silent.id === id)) this.#examined.delete(id);
    await this.#sweepOwnerless();
    for (const silent of report.silent) {
      // The report is from before a pause of this process: the others may have sent heartbeats since.
      if (this.#isStopping || monotonicMs() - report.atMs > leaseMs / 2) return;
      try {
        if (silent.lock === 'free' && (await this.#takeOverEnded(silent))) continue;
        await this.#takeOverSilent({ ...silent, lock: 'unknown' }, report.confirmedForMs);
      } catch (error) {
        services.log.error(
          { err: error, owner: silent.id },
          'could not take over tasks; retrying at the next heartbeat',
        );
      }
    }
  }

  async #sweepOwnerless(): Promise<void> {
    const { services, leaseMs } = this.#work;
    if (world.monotonic() - this.#sweptAtMs < leaseMs) return;
    this.#sweptAtMs = world.monotonic();
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
  async #takeOverEnded(ended: SilentProcess): Promise<boolean> {
    const { log } = this.#work.services;
    const lock = acquireEndedLock(ended.lockPath);
    // Another process is taking them over.
    if (lock === null) return true;
    let isDone = false;
    try {
      const data = dirname(dirname(ended.lockPath));
      const path = join(data, 'spool', ended.id);
      await this.#settleAnswers({ processId: ended.id, path });
      isDone = await this.#takeOver(ended, { withoutTrace: 'all' });
      // Without the lock, no later start would know whose files these are.
      if (isDone) await rm(join(data, 'tmp', ended.id), { recursive: true, force: true });
      return true;
    } catch (error) {
      log.error({ err: error, owner: ended.id }, 'could not take over the tasks of an ended process; retrying');
      return false;
    } finally {
      lock.release({ keepsFile: !isDone });
    }
  }

  async #takeOverSilent(silent: SilentProcess, confirmedForMs: number): Promise<void> {
    const { leaseMs } = this.#work;
    const scope = scopeOf(this.#work, silent, { leaseMs, confirmedForMs });
    if (scope === null) return;
    const before = this.#examined.get(silent.id);
    const key = JSON.stringify(scope);
    const nowMs = world.monotonic();
    if (before !== undefined && before.scope === key && nowMs - before.atMs < leaseMs) return;
    await this.#takeOver(silent, scope);
    this.#examined.set(silent.id, { atMs: nowMs, scope: key });
  }

  /** @returns whether no task of it is left */
  async #takeOver(owner: SilentProcess, scope: Scope): Promise<boolean> {
    const { services } = this.#work;
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
