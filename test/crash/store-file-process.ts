import { promises } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { openFileStorage } from '../../src/storage/file-storage.ts';

/** Stores a file in a process of its own, which kills itself at a file call. */
export interface StoreWish {
  readonly directory: string;
  readonly key: string;
  readonly text: string;
  /** How many moments right before or right after a file call it survives. */
  readonly survives: number;
}

const { directory, key, text, survives } = JSON.parse(process.argv[2] ?? '') as StoreWish;
const storage = await openFileStorage(directory);
let left = survives;
const handle = await promises.open(directory, 'r');
killAt(promises, ['open', 'rename', 'mkdir']);
killAt(Object.getPrototypeOf(handle), ['write', 'datasync', 'sync', 'close']);
await handle.close();
left = survives;
syncBuiltinESMExports();
await storage.put(key, Buffer.from(text), { contentType: 'text/plain', maxBytes: text.length });

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
