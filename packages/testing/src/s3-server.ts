import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The only pair of keys that the server knows. It checks only the first. */
export const S3_CREDENTIALS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

export interface S3Server {
  readonly endpoint: string;
  /** Creates an empty bucket and returns its name. */
  makeBucket(): Promise<string>;
  /** Returns the keys of all complete objects in a bucket. */
  objects(bucket: string): Promise<string[]>;
  /** Returns the ids of uploads that were begun and neither completed nor aborted. */
  uploads(bucket: string): Promise<string[]>;
  /** Returns the directory in which an upload is kept; its file `key` is as old as the upload. */
  uploadDirectory(bucket: string, uploadId: string): string;
  close(): Promise<void>;
}

/** Starts an S3 server in a process of its own, on a free port, with a directory of its own. Always close it. */
export async function startS3Server(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 's3-'));
  const child = fork(join(import.meta.dirname, 's3-server-process.ts'), [directory], {
    // Its tokens of paged lists are enciphered with DES.
    execArgv: ['--openssl-legacy-provider', '--no-warnings'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const [port] = await Promise.race([once(child, 'message'), ended.then(() => [null])]);
  assert.equal(typeof port, 'number', 'the S3 server did not start');
  let buckets = 0;
  const uploadsOf = (bucket: string) => join(directory, bucket, '._S3rver_uploads');
  return {
    endpoint: `http://127.0.0.1:${port}`,
    async makeBucket() {
      const bucket = `bucket-${++buckets}`;
      await mkdir(join(directory, bucket));
      return bucket;
    },
    async objects(bucket) {
      const suffix = '._S3rver_object';
      const files = await readdir(join(directory, bucket), { recursive: true });
      return files.filter((file) => file.endsWith(suffix)).map((file) => file.slice(0, -suffix.length));
    },
    async uploads(bucket) {
      return await readdir(uploadsOf(bucket)).catch(() => []);
    },
    uploadDirectory: (bucket, uploadId) => join(uploadsOf(bucket), uploadId),
    async close() {
      child.kill('SIGKILL');
      await ended;
      await rm(directory, { recursive: true });
    },
  };
}
