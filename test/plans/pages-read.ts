import { readFileSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { WideRead } from './rows-read.ts';
import type { SeenStatement } from './watch-statements.ts';

/** Pages that a statement reads to find its indexes, and for each of its rows, with what is joined to it. */
const PAGES = 300;
const PAGES_A_ROW = 40;

/**
 * Runs statements of SQLite again, each in a transaction that is rolled back, and counts the pages that they read: the
 * connection keeps none, so each is a read of the file.
 * @returns those that read many more pages than their rows need
 */
export function wideReadsOfSqlite(path: string, statements: readonly SeenStatement[]): WideRead[] {
  const database = new DatabaseSync(path);
  database.exec('pragma mmap_size = 0; pragma cache_size = 0; pragma temp_store = memory');
  database.function('darkroom_digest', (value) => String(value));
  database.function('darkroom_nfc', (value) => String(value));
  try {
    return statements.flatMap(({ text, values }) => {
      const before = bytesRead();
      database.exec('begin');
      let used = 0;
      try {
        const statement = database.prepare(text);
        const rows = statement.all(...(values as SQLInputValue[]));
        used = Math.max(rows.length, text.startsWith('select') ? 0 : Number(changes(database)));
      } catch (error) {
        // Its row is there since it ran first.
        if (!/constraint failed/.test((error as Error).message)) throw error;
      } finally {
        database.exec('rollback');
      }
      const read = Math.round((bytesRead() - before) / 4_096);
      return read > PAGES + PAGES_A_ROW * used ? [{ text, read, used }] : [];
    });
  } finally {
    database.close();
  }
}

function changes(database: DatabaseSync): unknown {
  return database.prepare('select changes() as n').get()?.n;
}

function bytesRead(): number {
  return Number(/rchar: (\d+)/.exec(readFileSync('/proc/thread-self/io', 'utf8'))?.[1]);
}
