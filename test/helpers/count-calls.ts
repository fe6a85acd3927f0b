import { ChildProcess } from 'node:child_process';
import fs, { promises } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync } from 'node:sqlite';

/** Counts what a piece of work asks of the system. */
export interface CallCounts {
  /** How often each was called: statements, flushes, files that were opened, and so on. */
  readonly counts: ReadonlyMap<string, number>;
  /** Sets all counts to zero. */
  reset(): void;
}

const FILE_CALLS = {
  open: 'files opened',
  rename: 'files renamed',
  link: 'files linked',
  copyFile: 'files copied',
  writeFile: 'files written whole',
  readFile: 'files read whole',
  rm: 'files removed',
  unlink: 'files removed',
  stat: 'files looked up',
  mkdir: 'directories made',
  rmdir: 'directories removed',
  readdir: 'directories listed',
  opendir: 'directories listed',
} as const;
const HANDLE_CALLS = { write: 'writes', sync: 'flushes', datasync: 'flushes', fdatasync: 'flushes', fsync: 'flushes' };

/** Counts from now on, in the whole process. Call it before what is counted is loaded. */
export async function countCalls(): Promise<CallCounts> {
  const counts = new Map<string, number>();
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  const watch = (owner: object, names: Readonly<Record<string, string>>) => {
    for (const [method, name] of Object.entries(names)) {
      const original: unknown = Reflect.get(owner, method);
      if (typeof original !== 'function') continue;
      Reflect.set(owner, method, function (this: unknown, ...given: unknown[]) {
        count(name);
        return Reflect.apply(original, this, given);
      });
    }
  };
  const handle = await promises.open(process.execPath, 'r');
  const handles = Object.getPrototypeOf(handle);
  await handle.close();
  watch(promises, FILE_CALLS);
  watch(fs, { ...FILE_CALLS, ...HANDLE_CALLS });
  watch(handles, HANDLE_CALLS);
  const database = new DatabaseSync(':memory:');
  const statements = Object.getPrototypeOf(database.prepare('select 1'));
  database.close();
  watch(statements, { run: 'statements', get: 'statements', all: 'statements' });
  watch(DatabaseSync.prototype, { exec: 'begins and commits' });
  watch(ChildProcess.prototype, { send: 'messages to other processes' });
  watch(globalThis, { setTimeout: 'timers', setInterval: 'timers' });
  syncBuiltinESMExports();
  return { counts, reset: () => counts.clear() };
}
