import type { Transaction } from '../../src/database/database.ts';

/** Enters a process, or shows that it lives, with one heartbeat. */
export async function insertProcess(
  trx: Transaction,
  id: string,
  more: Readonly<
    Partial<Record<'role' | 'host' | 'machine' | 'lock_path', string> & Record<'started_at' | 'beat_at', number>>
  > = {},
): Promise<void> {
  const row = {
    role: 'worker',
    host: 'test',
    machine: 'test',
    pid: 1,
    version: '0',
    lock_path: `/nowhere/${id}.lock`,
    started_at: 0,
    beat_at: 0,
    beats: 1,
    ended_at: null,
  };
  await trx.run(
    trx.builder
      .insertInto('processes')
      .values({ id, ...row, ...more })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ beats: 1, ended_at: null })),
  );
}
