import { type Follower, prepare, type StoredOutput, type TaskHooks } from '@darkroom-service/darkroom/kernel';

const insertHash = prepare<{ sha256: string; account: string; task: string }, unknown>(
  'insert_output_hash',
  (builder, argument) =>
    builder
      .insertInto('output_hashes')
      .values({ sha256: argument('sha256'), account_id: argument('account'), task_id: argument('task') }),
);

/** Stores the hashes of the outputs of every task, in the commit that ends it. */
export const ORIGIN_FOLLOWER: Follower = {
  name: 'origins',
  bit: 4,
  follows: () => true,
  ended(unit, { id, account_id }, { outputs }) {
    for (const sha256 of hashesOf(outputs)) unit.send(insertHash, { sha256, account: account_id, task: id });
  },
};

/** Removes the hashes of outputs with the outputs, in the same commits. */
export const ORIGIN_HOOKS: TaskHooks = {
  personalTables: [{ table: 'output_hashes', taskColumn: 'task_id' }],
  async erased(trx, { id, accountId, outputs }) {
    if (outputs.length === 0) return;
    await trx.run(
      trx.builder
        .deleteFrom('output_hashes')
        .where('sha256', 'in', [...hashesOf(outputs)])
        .where('account_id', '=', accountId)
        .where('task_id', '=', id),
    );
  },
};

function hashesOf(outputs: readonly StoredOutput[]): Set<string> {
  return new Set(outputs.map(({ sha256 }) => sha256));
}
