import fs, { promises } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const METHODS = ['open', 'rename', 'mkdir', 'link', 'rm'] as const;
const HANDLE_METHODS = ['write', 'writeFile', 'datasync', 'sync', 'close'] as const;
const WITH_CALLBACKS = ['open', 'rename', 'write', 'fdatasync', 'fsync', 'close'] as const;

/**
 * Kills this process at a file call.
 * @param survives how many moments right before or right after a call it survives
 */
export async function killAtFileCalls(survives: number): Promise<void> {
  let left = Number.POSITIVE_INFINITY;
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
  syncBuiltinESMExports();
  left = survives;

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
    if (left-- === 0) process.kill(process.pid, 'SIGKILL');
  }
}
