import { systemClock, world } from '@darkroom-service/contract';
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
  const { connectToServer, endConnection, sessionOn } = await loadPostgres();
  const client = await connectToServer(url, 'write', 0);
  closers.defer(() => endConnection(client));
  const session: Session = sessionOn(client);
  return {
    read: session,
    async tryCommit(limitMs) {
      const warnings: string[] = [];
      client.on('notice', ({ message }) => warnings.push(message ?? ''));
      await client.query('begin');
      try {
        // The server ends what hangs, so that nothing of it outlives this command.
        await client.query(`set local statement_timeout = ${limitMs}`);
        await markChore(session, 'write_check');
        const began = world.monotonic();
        await client.query('commit');
        // A commit that waits for a standby is not undone by the limit: it only stops waiting.
        if (world.monotonic() - began >= limitMs)
          throw new Error(`a commit was not confirmed within ${limitMs / 1000} s (${warnings.join('; ')})`);
      } catch (error) {
        await client.query('rollback');
        throw error;
      }
    },
  };
}
