import type { promises } from 'node:fs';

const METHODS = ['open', 'rename', 'mkdir', 'link', 'rm'] as const;
const HANDLE_METHODS = ['write', 'writeFile', 'datasync', 'sync', 'close'] as const;

/**
 * Kills this process at a file call.
 * @param survives how many moments right before or right after a call it survives
 */
export async function killAtFileCalls(files: typeof promises, survives: number): Promise<void> {
  let left = Number.POSITIVE_INFINITY;
  const handle = await files.open(import.meta.filename, 'r');
  killAt(files, METHODS);
  killAt(Object.getPrototypeOf(handle), HANDLE_METHODS);
  await handle.close();
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
