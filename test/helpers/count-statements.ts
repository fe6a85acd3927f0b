import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';

/** Counts the statements of this process, on both databases. */
export interface StatementCounts {
  /** How often each statement was run: by its name or the first words of its text, and the place that runs it. */
  readonly counts: ReadonlyMap<string, number>;
  /** How many transactions were committed. */
  readonly commits: number;
  /** Sets all counts to zero. */
  reset(): void;
}

const SHOWN_CHARACTERS = 72;
/** Their frames say how a statement is sent, not who wanted it. */
const OF_THE_STORE = /\/packages\/store\/src\/(?!work|heartbeat|write-ahead-log)|\/database\/database-now\.ts/;
const OWN_SOURCE = /\/((?:src|packages)\/[\w./-]+\.ts):(\d+)/;

/** Counts from now on, in the whole process. */
export function countStatements(): StatementCounts {
  const counts = new Map<string, number>();
  let commits = 0;
  const count = (text: string) => {
    if (/^commit\b/.test(text)) commits++;
    if (/^(begin|commit|rollback)\b/.test(text)) return;
    const entry = `${text.replaceAll(/\s+/g, ' ').slice(0, SHOWN_CHARACTERS)} @ ${placeOfCaller()}`;
    counts.set(entry, (counts.get(entry) ?? 0) + 1);
  };
  const database = new DatabaseSync(':memory:');
  watch(Object.getPrototypeOf(database.prepare('select 1')), ['run', 'get', 'all'], (statement) =>
    count(String(Reflect.get(statement, 'sourceSQL'))),
  );
  database.close();
  watch(DatabaseSync.prototype, ['exec'], (_, [text]) => count(String(text)));
  watch(Client.prototype, ['query'], (_, [query]) => {
    const { name, text } = typeof query === 'string' ? { name: undefined, text: query } : (query as Sent);
    // A pool hands its own objects on to its clients.
    if (text !== undefined) count(name ?? text);
  });
  return {
    counts,
    get commits() {
      return commits;
    },
    reset() {
      counts.clear();
      commits = 0;
    },
  };
}

interface Sent {
  readonly name?: string;
  readonly text?: string;
}

function watch(owner: object, methods: readonly string[], tell: (self: object, given: unknown[]) => void): void {
  for (const method of methods) {
    const original = Reflect.get(owner, method) as () => unknown;
    Reflect.set(owner, method, function (this: object, ...given: unknown[]) {
      tell(this, given);
      return Reflect.apply(original, this, given as []);
    });
  }
}

function placeOfCaller(): string {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = 30;
  const frames = (new Error().stack ?? '').split('\n');
  Error.stackTraceLimit = before;
  const own = frames.filter((frame) => OWN_SOURCE.test(frame) && !OF_THE_STORE.test(frame));
  const [, file, line] = OWN_SOURCE.exec(own[0] ?? '') ?? [];
  return file === undefined ? 'the store' : `${file}:${line}`;
}
