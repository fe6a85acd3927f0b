import { advanceCheckpoint } from '../accounts/ledger.ts';
import { takeTurn } from '../database/take-turn.ts';
import type { Desk } from './desk.ts';
import { eraseTask } from './erase-task.ts';
import { taskOfFileKey } from './task.ts';

/** What is done from time to time, by one process at a time: retention, expired uploads, short balances, orphaned files. */
export interface Housekeeping {
  /** Does everything at once, whoever's turn it is. */
  runOnce(): Promise<void>;
  stop(): Promise<void>;
}

interface Chore {
  readonly name: string;
  readonly everyMs: number;
  readonly run: () => Promise<unknown>;
}

const EVERY_MS = 60_000;
const BATCH = 200;
const SWEEP_EVERY_MS = 24 * 60 * 60 * 1000;
/** An order's files lie in storage before its row does: younger files are never orphans. */
const ORPHAN_AFTER_MS = 24 * 60 * 60 * 1000;

export function startHousekeeping(desk: Desk): Housekeeping {
  let running: Promise<void> | null = null;
  /** What a stop breaks off is due again at the next turn. */
  const stopping = new AbortController();
  const { signal } = stopping;
  const chores: readonly Chore[] = [
    { name: 'retention', everyMs: EVERY_MS, run: eraseExpiredTasks },
    { name: 'uploads', everyMs: EVERY_MS, run: eraseExpiredFiles },
    { name: 'balances', everyMs: EVERY_MS, run: shortenBalances },
    { name: 'sweep', everyMs: SWEEP_EVERY_MS, run: () => sweepOrphans(desk, signal) },
  ];
  const timer = setInterval(() => {
    running ??= takeTurns().finally(() => {
      running = null;
    });
  }, EVERY_MS);
  timer.unref();

  async function takeTurns(): Promise<void> {
    for (const { name, everyMs, run } of chores) {
      try {
        if (!signal.aborted && (await takeTurn(desk.database, name, everyMs))) await run();
      } catch (error) {
        desk.log.error({ err: error, chore: name }, 'a chore failed; its next turn tries again');
      }
    }
  }

  async function eraseExpiredTasks(): Promise<void> {
    const { read } = desk.database;
    for (;;) {
      const due = await read.all(
        read.builder
          .selectFrom('tasks')
          .select('id')
          .where('expires_at', '<=', desk.clock.now())
          .where('erased_at', 'is', null)
          .where('step', '=', 'final')
          .orderBy('expires_at')
          .limit(BATCH),
      );
      for (const { id } of due) if (!signal.aborted) await eraseTask(desk, id, { deletedAt: null });
      if (due.length < BATCH || signal.aborted) return;
    }
  }

  async function eraseExpiredFiles(): Promise<void> {
    const { read } = desk.database;
    for (;;) {
      const due = await read.all(
        read.builder
          .selectFrom('files')
          .select(['id', 'storage_key'])
          .where('expires_at', '<=', desk.clock.now())
          .where('erased_at', 'is', null)
          .limit(BATCH),
      );
      for (const file of due) {
        if (signal.aborted) return;
        await desk.database.write('erase_file', (trx) =>
          trx.run(trx.builder.updateTable('files').set({ erased_at: desk.clock.now() }).where('id', '=', file.id)),
        );
        await desk.storage.remove(file.storage_key);
      }
      if (due.length < BATCH) return;
    }
  }

  async function shortenBalances(): Promise<void> {
    const { read } = desk.database;
    const accounts = await read.all(
      read.builder.selectFrom('accounts').select('id').where('credit_limit', 'is not', null),
    );
    for (const { id } of accounts)
      await desk.database.write('checkpoint', (trx) => advanceCheckpoint(trx, id, 'live', desk.clock.now()));
  }

  return {
    async runOnce() {
      for (const { run } of chores) await run();
    },
    async stop() {
      stopping.abort();
      clearInterval(timer);
      await running?.catch(() => {});
    },
  };
}

/**
 * Removes files that no row names: what a kill left between storing and committing.
 * @param signal breaks it off: it removes nothing then.
 * @returns how many were removed.
 */
export async function sweepOrphans(desk: Desk, signal?: AbortSignal): Promise<number> {
  const young = desk.clock.now() - ORPHAN_AFTER_MS;
  const orphans: string[] = [];
  let taskBefore: string | null = null;
  let isNamed: (key: string) => boolean = () => false;
  for await (const { key, changedAt } of desk.storage.list('tasks/')) {
    if (signal?.aborted === true) return 0;
    const taskId = taskOfFileKey(key);
    if (changedAt > young || taskId === null) continue;
    // The files of a task lie side by side.
    if (taskId !== taskBefore) isNamed = await namesOf(desk, taskId);
    taskBefore = taskId;
    if (!isNamed(key)) orphans.push(key);
  }
  const { read } = desk.database;
  for await (const { key, changedAt } of desk.storage.list('uploads/')) {
    if (signal?.aborted === true) return 0;
    if (changedAt > young) continue;
    // By its id, which has an index: a file is named after its row.
    const id = key.split('/').at(-1) ?? '';
    const file = await read.first(read.builder.selectFrom('files').select('erased_at').where('id', '=', id));
    if (file === undefined || file.erased_at !== null) orphans.push(key);
  }
  for (const key of orphans) if (signal?.aborted !== true) await desk.storage.remove(key);
  return orphans.length;
}

/** Tells which files the row of a task names; while it is not final it may come to name any. */
async function namesOf({ database: { read } }: Desk, taskId: string): Promise<(key: string) => boolean> {
  const task = await read.first(
    read.builder.selectFrom('tasks').select(['step', 'outputs_json', 'media_json']).where('id', '=', taskId),
  );
  if (task === undefined) return () => false;
  if (task.step !== 'final') return () => true;
  return (key) => task.outputs_json.includes(`"${key}"`) || task.media_json?.includes(`"${key}"`) === true;
}
