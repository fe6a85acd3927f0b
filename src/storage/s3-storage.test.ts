import { after, before } from 'node:test';
import { S3_CREDENTIALS, type S3Server, startS3Server } from '../../test/s3-server.ts';
import { storageConformance } from '../../test/storage-conformance.ts';
import { openS3Storage } from './s3-storage.ts';

let server: S3Server;
before(async () => {
  server = await startS3Server();
});
after(() => server.close());

storageConformance('a bucket', async () => {
  const url = `s3://${await server.makeBucket()}/some/prefix?endpoint=${server.endpoint}`;
  return { storage: await openS3Storage(url, { credentials: S3_CREDENTIALS }), cleanup: async () => {} };
});
