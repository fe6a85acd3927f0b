import { systemClock } from '@darkroom-service/contract';
import { inTransaction, loadPostgres, markChore, SqliteConnection, SqliteSession } from '@darkroom-service/store';
import type { Session } from '../../database/database.ts';
import type { Config } from '../config/config.ts';

/** The database whose schema is this program's, for checks. */
interface DoctorSession {
  readonly read: Session;
  /** Commits one small row. @throws Error if that fails, or takes longer than the limit (on SQLite five seconds) */
  tryCommit(limitMs: number): Promise<void>;
}

/** Opens the database for the doctor's checks. @throws Error if it cannot be opened */
export async function openDoctorSession(
  { databaseUrl, databasePath }: Config,
  closers: AsyncDisposableStack,
): Promise<DoctorSession> {
  if (databaseUrl !== null) return await openServer(databaseUrl, closers);
  const now = () => systemClock.now();
  const reader = new SqliteConnection(databasePath, { readOnly: true, now });
  closers.defer(() => reader.close());
  return {
    read: new SqliteSession(reader),
    async tryCommit() {
      const writer = new SqliteConnection(databasePath, { readOnly: false, now });
      try {
        await inTransaction(writer, (session) => markChore(session, 'write_check'));
      } finally {
        writer.close();
      }
    },
  };
}

async function openServer(url: string, closers: AsyncDisposableStack): Promise<DoctorSession> {
  const { commitWithin, connectToServer, describeWaitingCommit, endConnection, sessionOn } = await loadPostgres();
  const client = await connectToServer(url, 'read', 0);
  closers.defer(() => endConnection(client));
  return {
    read: sessionOn(client),
    async tryCommit(limitMs) {
      // A commit that hangs would keep the other checks from their connection.
      const writer = await connectToServer(url, 'write', 0);
      try {
        await writer.query('begin');
        // The server ends what hangs, so that nothing of it outlives this command.
        await writer.query(`set local statement_timeout = ${limitMs}`);
        await markChore(sessionOn(writer), 'write_check');
        await commitWithin(writer, limitMs);
      } catch (error) {
        // The row may be locked by a commit of the service that waits.
        const waits = await describeWaitingCommit(client, null);
        throw waits === null
          ? error
          : new Error(`not confirmed within ${limitMs / 1000} s: ${waits}`, { cause: error });
      } finally {
        await endConnection(writer);
      }
    },
  };
}
