import { openFileStorage } from './file-storage.ts';
import type { S3StorageOptions } from './s3-storage.ts';
import type { Storage } from './storage.ts';

export interface StoragePlace {
  /** `s3://…`, see `parseS3Url`; null where files lie in the directory. */
  readonly url: string | null;
  readonly directory: string;
  readonly s3?: S3StorageOptions;
}

/**
 * Opens the storage that the settings name.
 * @throws StorageError where the directory cannot be used; TypeError where the address is malformed.
 */
export async function openStorage({ url, directory, s3 }: StoragePlace): Promise<Storage> {
  if (url === null) return await openFileStorage(directory);
  // Who keeps files in a directory need not wait for the SDK to load.
  const { openS3Storage } = await import('./s3-storage.ts');
  return await openS3Storage(url, s3);
}
