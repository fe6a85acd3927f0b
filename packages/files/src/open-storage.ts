import type { Storage } from '@darkroom-service/media';
import { openFileStorage } from './file-storage.ts';
import type { S3StorageOptions } from './s3-storage.ts';

interface StorageSettings {
  /** `s3://…`, see `parseS3Url`; null if files are stored in the directory. */
  readonly url: string | null;
  readonly directory: string;
  readonly s3?: S3StorageOptions;
}

/** Advice for a bucket that keeps older versions of removed files. */
export const KEPT_VERSIONS_ADVICE =
  'Erased files stay in it: allow s3:ListBucketVersions and s3:DeleteObjectVersion, or turn versions and object locks off.';

/**
 * Opens the configured storage.
 * @throws StorageError if the directory cannot be used; TypeError if the URL is malformed.
 */
export async function openStorage({ url, directory, s3 }: StorageSettings): Promise<Storage> {
  if (url === null) return await openFileStorage(directory);
  // Loads the SDK only if it is needed.
  const { openS3Storage } = await import('./s3-storage.ts');
  return await openS3Storage(url, s3);
}
