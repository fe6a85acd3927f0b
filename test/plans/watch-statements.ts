import type { TestContext } from 'node:test';
import { Worker } from 'node:worker_threads';
import { SqliteConnection } from '@darkroom-service/store';
import { Client } from 'pg';

/** A statement as the service ran it. */
export interface SeenStatement {
  readonly text: string;
  /** As it was run last. */
  readonly values: readonly unknown[];
}

/**
 * Records the statements that services of this process run from now on, on either database, including those that they
 * send to the report thread.
 * @returns the distinct statements so far
 */
export function watchStatements(t: TestContext): () => SeenStatement[] {
  const seen = new Map<string, readonly unknown[]>();
  const listen = (...call: readonly unknown[]) => {
    const statement = toStatement(call);
    if (statement !== null) seen.set(statement.text, statement.values);
  };
  const { all, first, run } = SqliteConnection.prototype;
  t.mock.method(SqliteConnection.prototype, 'all', function (this: SqliteConnection, ...call: Parameters<typeof all>) {
    listen(...call);
    return all.apply(this, call);
  });
  t.mock.method(
    SqliteConnection.prototype,
    'first',
    function (this: SqliteConnection, ...call: Parameters<typeof first>) {
      listen(...call);
      return first.apply(this, call);
    },
  );
  t.mock.method(SqliteConnection.prototype, 'run', function (this: SqliteConnection, ...call: Parameters<typeof run>) {
    listen(...call);
    return run.apply(this, call);
  });
  const { postMessage } = Worker.prototype;
  t.mock.method(Worker.prototype, 'postMessage', function (this: Worker, ...call: Parameters<typeof postMessage>) {
    listen(...call);
    postMessage.apply(this, call);
  });
  const query = Client.prototype.query as (...call: unknown[]) => unknown;
  t.mock.method(Client.prototype, 'query', function (this: Client, ...call: unknown[]) {
    listen(...call);
    return query.apply(this, call);
  });
  return () => [...seen].map(([text, values]) => ({ text, values }));
}

/** Returns null for a call that runs no statement on rows, such as `begin`. */
function toStatement([statement, values]: readonly unknown[]): SeenStatement | null {
  const {
    text,
    sql,
    parameters,
    values: own,
  } = (typeof statement === 'object' ? statement : { text: statement }) as {
    readonly text?: string;
    readonly sql?: string;
    readonly parameters?: readonly unknown[];
    readonly values?: readonly unknown[];
  };
  const found = text ?? sql;
  if (typeof found !== 'string' || !/^(?:with|select|insert|update|delete)\b/.test(found)) return null;
  return { text: found, values: own ?? parameters ?? (Array.isArray(values) ? values : []) };
}
