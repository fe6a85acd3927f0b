const LABELS = /^[a-z0-9]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9_-]*[a-z0-9])?)*$/;
const ADDRESS = /^\d+\.\d+\.\d+\.\d+$/;
const REGION = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Tells whether S3 or a compatible server can have a bucket of this name: 3 to 63 characters, and no address. */
export function isBucketName(name: string): boolean {
  return name.length >= 3 && name.length <= 63 && LABELS.test(name) && !ADDRESS.test(name);
}

export function isRegion(name: string): boolean {
  return name.length <= 40 && REGION.test(name);
}
