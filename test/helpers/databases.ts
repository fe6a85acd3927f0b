import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext } from 'node:test';
import type { Clock } from '@darkroom-service/contract';
import type { CommitHook } from '@darkroom-service/store';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { ADDED } from './additions.ts';
import './lock-order.ts';
import { placeEmptyDatabase } from './empty-database.ts';
import { createPostgresDatabase } from './postgres-server.ts';

export interface OpenOptions {
  readonly clock?: Clock;
  readonly commitHook?: CommitHook;
}

/** A fresh database of a test. It is closed and removed after it, as is every further handle on it. */
export interface TestDatabase {
  readonly database: Database;
  /** Where it lies, as `openDatabase` takes it. */
  readonly address: { readonly url: string | null; readonly path: string };
  /** One more handle on the same data, as another process would have it. */
  readonly openAnother: (options?: OpenOptions) => Promise<Database>;
}

export type OpenTestDatabase = (t: TestContext, options?: OpenOptions) => Promise<TestDatabase>;

/**
 * Defines tests once for every database that the service runs on. `DARKROOM_TEST_DATABASE` chooses one of them: `npm
 * test` has no time for both.
 */
export function forEachDatabase(define: (kind: Database['kind'], open: OpenTestDatabase) => void): void {
  const chosen = process.env.DARKROOM_TEST_DATABASE;
  for (const kind of ['sqlite', 'postgres'] as const) {
    if (chosen !== undefined && chosen !== kind) continue;
    describe(kind, () => define(kind, (t, options = {}) => openTestDatabase(t, kind, options)));
  }
}

export async function openTestDatabase(
  t: Pick<TestContext, 'after'>,
  kind: Database['kind'],
  options: OpenOptions = {},
): Promise<TestDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-'));
  const opened: Database[] = [];
  const url = kind === 'sqlite' ? null : await createPostgresDatabase(t);
  const address = { url, path: join(directory, 'darkroom.db') };
  if (url === null) await placeEmptyDatabase(address.path);
  const openAnother = async (more: OpenOptions = {}) => {
    const database = await openDatabase({ ...address, ...more, added: ADDED });
    opened.push(database);
    return database;
  };
  t.after(async () => {
    for (const database of opened) await database.close();
    await rm(directory, { recursive: true });
  });
  return { database: await openAnother(options), address, openAnother };
}
