import {
  DeleteObjectCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { statusOf } from './s3-faults.ts';

/** Statuses of a server that will refuse this however often it is asked. */
const REFUSED: readonly (number | null)[] = [403, 405, 501];

interface StoredObject {
  readonly Bucket: string;
  readonly Key: string;
}

/**
 * Removes an object. In a bucket that keeps versions, that only adds a delete marker: then each version and delete
 * marker is removed.
 * @returns whether versions are left, since the credentials may not list or remove them, or a lock holds them
 * @throws the client's error
 */
export async function removeFromS3(
  client: S3Client,
  object: StoredObject,
): Promise<{ readonly keepsVersions: boolean }> {
  const { DeleteMarker, VersionId } = await client.send(new DeleteObjectCommand(object));
  if (DeleteMarker !== true && VersionId === undefined) return { keepsVersions: false };
  try {
    await removeVersions(client, object);
    return { keepsVersions: false };
  } catch (error) {
    if (!REFUSED.includes(statusOf(error))) throw error;
    return { keepsVersions: true };
  }
}

async function removeVersions(client: S3Client, { Bucket, Key }: StoredObject): Promise<void> {
  let marker: { KeyMarker?: string; VersionIdMarker?: string } | null = {};
  while (marker !== null) {
    const command = new ListObjectVersionsCommand({ Bucket, Prefix: Key, ...marker });
    const page: ListObjectVersionsCommandOutput = await client.send(command);
    // The list also has longer keys that begin with this one, behind it.
    for (const version of [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])])
      if (version.Key === Key && version.VersionId !== undefined)
        await client.send(new DeleteObjectCommand({ Bucket, Key, VersionId: version.VersionId }));
    const { IsTruncated, NextKeyMarker, NextVersionIdMarker } = page;
    marker =
      IsTruncated === true && NextKeyMarker === Key
        ? { KeyMarker: Key, ...(NextVersionIdMarker !== undefined && { VersionIdMarker: NextVersionIdMarker }) }
        : null;
  }
}
