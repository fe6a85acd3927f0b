import type { Budgets } from '../../accounts/budgets.ts';
import type { Owner } from '../../accounts/scope.ts';
import type { Database, Session, Transaction } from '../../database/database.ts';
import { databaseNow } from '../../database/database-now.ts';
import { eraseInPortions } from '../../database/erase-in-portions.ts';
import type { TaskServices } from '../../tasks/task-services.ts';

/** Database of the installation: an SQLite file or a PostgreSQL server. */
export interface Store {
  /**
   * Kind of the database.
   * @example const isEmbedded = kernel.store.kind === 'sqlite';
   */
  readonly kind: Database['kind'];
  /**
   * Reads committed data.
   * @example await kernel.store.read.first(kernel.store.read.builder.selectFrom('tasks').select('id').limit(1));
   */
  readonly read: Database['read'];
  /**
   * Sessions for lists and reports whose data may be some seconds old. A replica answers, if there is one.
   * @example await kernel.store.replica.read.all(kernel.store.read.builder.selectFrom('tasks').select('id'));
   */
  readonly replica: Database['replica'];
  /**
   * Sessions for slow reads, which run beside all others.
   * @example const session = kernel.store.reports.inTurn({ owner: key.id, isLong: false });
   */
  readonly reports: Database['reports'];
  /**
   * Commits a unit completely or not at all. It may run again, so it has no effects outside of the database.
   * @param name names the commit in metrics and tests
   * @throws ServiceError `service_unavailable`, `storage_full`
   * @example
   * await kernel.store.write('forget_brand', (unit) =>
   *   unit.run(unit.builder.deleteFrom('work').where('subject', '=', 'a')),
   * );
   */
  readonly write: Database['write'];
  /**
   * Commits a unit that waits for no other one. A crash of the server may undo it.
   * @example await kernel.store.writeAside('note_look', async (trx) => trx.lock('looks'));
   */
  readonly writeAside: Database['writeAside'];
  /**
   * Searches texts that customers wrote, off the event loop and up to a limit of processor time.
   * @example const { ids } = await kernel.store.scanTexts(scan);
   */
  readonly scanTexts: Database['scanTexts'];
  /**
   * Returns a number that changes after every commit of this process.
   * @example const before = kernel.store.changeCounter();
   */
  changeCounter(): number;
  /**
   * Runs a slow read in the turn of its key, so that a key that sends many delays only itself.
   * @throws ServiceError `rate_limited` if too many reads of the key wait
   * @example const task = await kernel.store.inTurn(key, () => kernel.tasks.find(key, 'image', taskId));
   */
  inTurn<T>(key: Owner, read: () => Promise<T>): Promise<T>;
  /**
   * Returns the time of the database's clock, in milliseconds since 1970 UTC, which all processes share.
   * @example const now = await kernel.store.now(trx);
   */
  now(session: Session): Promise<number>;
  /**
   * Erases rows in portions until a portion is empty or the signal is aborted. Each portion has a commit.
   * @param erase erases a portion and returns the number of its rows
   * @example
   * await kernel.store.erase({ unit: 'trim_work', signal }, (portion) =>
   *   portion.run(portion.builder.deleteFrom('work').where('subject', '=', 'a')),
   * );
   */
  erase(
    options: { readonly unit: string; readonly signal: AbortSignal },
    erase: (trx: Transaction) => Promise<number>,
  ): Promise<void>;
  /**
   * Creates an id that sorts by time.
   * @example const id = kernel.store.createId('img');
   */
  createId(prefix: string): string;
}

/** Opens the database for additions. */
export function openStore({
  database,
  budgets,
  createId,
}: Pick<TaskServices, 'database' | 'createId'> & { readonly budgets: Pick<Budgets, 'takeInTurn'> }): Store {
  return {
    kind: database.kind,
    get read() {
      return database.read;
    },
    get replica() {
      return database.replica;
    },
    get reports() {
      return database.reports;
    },
    write: (name, unit, options) => database.write(name, unit, options),
    writeAside: (name, unit) => database.writeAside(name, unit),
    scanTexts: (scan) => database.scanTexts(scan),
    changeCounter: () => database.changeCounter(),
    async inTurn(key, read) {
      const share = await budgets.takeInTurn(key, 'reports', 1);
      try {
        return await read();
      } finally {
        share.release();
      }
    },
    now: databaseNow,
    erase: (options, erase) => eraseInPortions(database, options, erase),
    createId,
  };
}
