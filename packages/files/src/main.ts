export { isBucketName, isRegion } from './bucket-name.ts';
export { openFileStorage } from './file-storage.ts';
export { readFreeSpace } from './free-space.ts';
export { KEPT_VERSIONS_ADVICE, openStorage } from './open-storage.ts';
export { findReportedDigest } from './reported-digest.ts';
export type { S3ClientOptions } from './s3-client.ts';
export { parseS3Url } from './s3-url.ts';
export { type SignedUpload, signUpload } from './sign-upload.ts';
