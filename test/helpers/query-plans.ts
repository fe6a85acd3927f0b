import { DatabaseSync } from 'node:sqlite';
import { mock, type TestContext } from 'node:test';

/**
 * Watches the statements on tasks that SQLite prepares from now on.
 * @returns how it carries out each of them, in its own words
 */
export function watchQueryPlans(t: TestContext): () => string[] {
  const prepared = mock.method(DatabaseSync.prototype, 'prepare');
  t.after(() => prepared.mock.restore());
  return () =>
    prepared.mock.calls
      .filter(({ arguments: [sql] }) => sql.includes('"tasks"') && !sql.startsWith('explain'))
      .flatMap(({ arguments: [sql], this: connection }) => planOf(connection as DatabaseSync, sql));
}

function planOf(connection: DatabaseSync, sql: string): string[] {
  const explained = connection.prepare(`explain query plan ${sql}`);
  return explained.all().map((step) => String(step.detail));
}
