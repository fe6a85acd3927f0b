import { openStorage } from '@darkroom-service/files';
import { killAtFileCalls } from './kill-at-file-calls.ts';

/** Stores a file in a process of its own, which kills itself at a file call. */
export interface StoreWish {
  readonly directory: string;
  readonly key: string;
  readonly text: string;
  /** How many moments right before or right after a file call it survives. */
  readonly survives: number;
}

const { directory, key, text, survives } = JSON.parse(process.argv[2] ?? '') as StoreWish;
const storage = await openStorage({ url: null, directory });
await killAtFileCalls(survives);
await storage.put(key, Buffer.from(text), { contentType: 'text/plain', maxBytes: text.length });
