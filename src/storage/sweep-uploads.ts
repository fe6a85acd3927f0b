import {
  AbortMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';

const LEFT_OVER_AFTER_MS = 24 * 60 * 60 * 1000;

/**
 * Aborts multipart uploads below a prefix that are older than a day, as those of killed processes; their parts use
 * storage.
 */
export async function sweepUploads(
  client: S3Client,
  { bucket, prefix }: { readonly bucket: string; readonly prefix: string },
  now: number,
  abortSignal: AbortSignal,
): Promise<void> {
  let marker: { KeyMarker?: string; UploadIdMarker?: string } | null = {};
  while (marker !== null) {
    const command = new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix, ...marker });
    const page: ListMultipartUploadsCommandOutput = await client.send(command, { abortSignal });
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      if (Key === undefined || Initiated === undefined || !(Initiated.getTime() < now - LEFT_OVER_AFTER_MS)) continue;
      // Some servers ignore the prefix of this request.
      if (!Key.startsWith(prefix)) continue;
      await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }), { abortSignal });
    }
    const { IsTruncated, NextKeyMarker, NextUploadIdMarker } = page;
    marker =
      IsTruncated && NextKeyMarker !== undefined
        ? { KeyMarker: NextKeyMarker, ...(NextUploadIdMarker !== undefined && { UploadIdMarker: NextUploadIdMarker }) }
        : null;
  }
}
