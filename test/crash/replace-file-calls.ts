import fs, { promises } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Name under which threads find how many moments are left. */
export const MOMENTS_LEFT = 'moments before this process is killed';

const METHODS = ['open', 'rename', 'mkdir', 'link', 'rm'] as const;
const HANDLE_METHODS = ['write', 'writeFile', 'datasync', 'sync', 'close'] as const;
const WITH_CALLBACKS = ['open', 'rename', 'write', 'fdatasync', 'fsync', 'close'] as const;
const SYNCHRONOUS = [
  'openSync',
  'writeSync',
  'fdatasyncSync',
  'fsyncSync',
  'closeSync',
  'renameSync',
  'mkdirSync',
  'unlinkSync',
] as const;
/** Replaces the file calls of this thread by those that count moments down, and kill the process at zero. */
export async function replaceFileCalls(left: Int32Array): Promise<void> {
  const handle = await promises.open(import.meta.filename, 'r');
  killAt(promises, METHODS);
  killAt(Object.getPrototypeOf(handle), HANDLE_METHODS);
  await handle.close();
  for (const method of WITH_CALLBACKS) {
    const original = Reflect.get(fs, method) as (...given: unknown[]) => void;
    Reflect.set(fs, method, (...given: unknown[]) => {
      const done = given.pop() as (...found: unknown[]) => void;
      live();
      original(...given, (...found: unknown[]) => {
        live();
        done(...found);
      });
    });
  }
  for (const method of SYNCHRONOUS) {
    const original = Reflect.get(fs, method) as (...given: unknown[]) => unknown;
    Reflect.set(fs, method, (...given: unknown[]) => {
      live();
      try {
        return original(...given);
      } finally {
        live();
      }
    });
  }
  syncBuiltinESMExports();

  function killAt(owner: object, methods: readonly string[]): void {
    for (const method of methods) {
      const original = Reflect.get(owner, method) as (...given: unknown[]) => Promise<unknown>;
      Reflect.set(owner, method, async function (this: unknown, ...given: unknown[]) {
        live();
        try {
          return await Reflect.apply(original, this, given);
        } finally {
          live();
        }
      });
    }
  }

  function live(): void {
    if (Atomics.sub(left, 0, 1) === 0) process.kill(process.pid, 'SIGKILL');
  }
}
