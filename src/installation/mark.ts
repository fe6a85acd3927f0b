import { text } from 'node:stream/consumers';
import { type Storage, StorageError } from '@darkroom-service/media';
import type { Mark } from './judge-installation.ts';

const KEY = 'installation.json';
const MOST_BYTES = 4_096;

/** Returns the mark of a storage; null = it has none. @throws StorageError */
export async function readMark(storage: Storage): Promise<Mark | null> {
  try {
    return JSON.parse(await text(await storage.open(KEY))) as Mark;
  } catch (error) {
    if (error instanceof StorageError && error.kind === 'not_found') return null;
    if (!(error instanceof SyntaxError)) throw error;
    throw new StorageError('unavailable', `${KEY} in the storage is not JSON; expected an id, an owner and a beat`);
  }
}

/** Writes the mark of this installation into its storage. @throws StorageError */
export async function writeMark(storage: Storage, { id, owner, beat }: Mark): Promise<void> {
  const body = Buffer.from(JSON.stringify({ id, owner, beat }));
  await storage.put(KEY, body, { contentType: 'application/json', maxBytes: MOST_BYTES });
}
