import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HeadObjectCommand } from '@aws-sdk/client-s3';
import { S3_CREDENTIALS, serveHttp } from '@darkroom-service/testing';
import { createS3Client } from './s3-client.ts';
import { withS3Errors } from './s3-faults.ts';

test('a bucket may answer with headers of up to 64 KB; beyond that the error names them', async (t) => {
  const origin = await serveHttp(t, ({ url = '' }, response) => {
    response.setHeader('x-policy', 'x'.repeat(Number(url.split('/').at(-1)) * 1024));
    response.end();
  });
  const client = createS3Client({ region: null, pathStyle: true }, origin, {
    credentials: S3_CREDENTIALS,
    attempts: 1,
  });
  t.after(() => client.destroy());
  const head = (kilobytes: number) => client.send(new HeadObjectCommand({ Bucket: 'foxes', Key: String(kilobytes) }));
  assert.equal((await head(40)).$metadata.httpStatusCode, 200);
  assert.equal((await head(40)).$metadata.httpStatusCode, 200);
  const where = { bucket: 'foxes', endpoint: origin };
  await assert.rejects(
    withS3Errors(where, () => head(70)),
    /its answer has more than 64 KB of headers/,
  );
});
