import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openS3Storage } from './s3-storage.ts';
import { parseS3Url } from './s3-url.ts';

const PLAIN = {
  bucket: 'bucket',
  prefix: '',
  endpoint: null,
  publicEndpoint: null,
  region: null,
  pathStyle: false,
  redirect: true,
};

describe('the address of a bucket', () => {
  it('names the bucket, and what else is known of it', () => {
    assert.deepEqual(parseS3Url('s3://bucket'), PLAIN);
    assert.deepEqual(parseS3Url('s3://bucket/'), PLAIN);
    assert.deepEqual(parseS3Url('s3://bucket/a/B?region=eu-central-1'), {
      ...PLAIN,
      prefix: 'a/B/',
      region: 'eu-central-1',
    });
    assert.deepEqual(
      parseS3Url(
        's3://my.bucket/x/?endpoint=http://127.0.0.1:9000/&path_style=false&redirect=false&public_endpoint=https://files.example.com',
      ),
      {
        ...PLAIN,
        bucket: 'my.bucket',
        prefix: 'x/',
        endpoint: 'http://127.0.0.1:9000',
        publicEndpoint: 'https://files.example.com',
        redirect: false,
      },
    );
    assert.equal(parseS3Url('s3://bucket?endpoint=https://minio:9000').pathStyle, true);
  });

  it('says what is wrong with it', () => {
    for (const [url, message] of [
      ['bucket', /expected an address like s3:/],
      ['https://bucket', /expected an address like s3:/],
      ['s3://', /name of a bucket/],
      ['s3:///prefix', /name of a bucket/],
      ['s3://Bucket', /found "Bucket"/],
      ['s3://bucket:9000', /found "bucket:9000"/],
      ['s3://bucket/a//b', /prefix/],
      ['s3://bucket/a%20b', /prefix/],
      ['s3://bucket?pathstyle=true', /takes no "pathstyle", only endpoint/],
      ['s3://bucket?region=a&region=b', /"region" once/],
      ['s3://bucket?region=EU%20', /region/],
      ['s3://bucket?path_style=yes', /path_style to be true or false, found "yes"/],
      ['s3://bucket?endpoint=minio:9000', /endpoint to be an origin/],
      ['s3://bucket?endpoint=http://minio/path', /endpoint to be an origin/],
      ['s3://bucket?public_endpoint=ftp://minio', /public_endpoint to be an origin/],
    ] as const) {
      assert.throws(() => parseS3Url(url), { name: 'TypeError', message }, url);
    }
  });

  it('never repeats credentials', () => {
    for (const url of [
      's3://user:HIDDEN@bucket',
      's3://bucket?secret_access_key=HIDDEN',
      's3://bucket?endpoint=http://user:HIDDEN@minio',
    ]) {
      assert.throws(
        () => parseS3Url(url),
        (error: Error) => error instanceof TypeError && !/HIDDEN/.test(error.message),
      );
    }
  });

  it('needs a region for Amazon, in itself or in the settings', async () => {
    await assert.rejects(openS3Storage('s3://bucket'), /expected the region of the bucket/);
  });
});
