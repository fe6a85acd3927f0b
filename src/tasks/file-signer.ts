import { createHmac, timingSafeEqual } from 'node:crypto';
import { flatText } from '@darkroom-service/contract';
import { edgeKeyOf, type SigningSecret } from '../accounts/signing-secrets.ts';

const BUCKET_MS = 12 * 60 * 60 * 1000;
const EVENTS_LIFETIME_MS = 60 * 60 * 1000;
const EVENTS_BUCKET_MS = 10 * 60 * 1000;
/** Maximum number of remembered files, and of remembered tasks. */
const REMEMBERED = 10_000;

/**
 * Signs the URLs of files under `/files/`. Expiries are rounded to time buckets, so that repeated reads give equal
 * URLs.
 */
export interface FileSigner {
  /** Returns the URL of a stored file and its expiry. */
  sign(key: string): { readonly url: string; readonly expiresAt: number };
  /** Tells whether a signature is valid and not expired. */
  verify(key: string, expires: string, signature: string): 'good' | 'expired' | 'wrong';
  /**
   * Returns the URL of a task's events for clients that cannot send a bearer token, such as browsers. Valid for an
   * hour, rounded up to ten minutes.
   */
  signEvents(type: 'image' | 'video', taskId: string): string;
  verifyEvents(taskId: string, expires: string, signature: string): 'good' | 'expired' | 'wrong';
  /**
   * Returns the query of a URL that is valid until exactly `expiresAt`; `verify` accepts it. No file has a key with a
   * colon, so a signature is never valid for both.
   */
  signExactly(key: `${string}:${string}`, expiresAt: number): string;
  /** Returns the same signer for URLs that begin with another public URL. URLs of a CDN stay as they are. */
  at(publicUrl: string): FileSigner;
}

/**
 * Creates the signer of file URLs.
 * @param lifetimeMs the minimum validity of a URL; the expiry is rounded up to twelve hours
 */
export function createFileSigner(options: {
  /** Returns the secrets that sign and that are accepted now. */
  readonly secrets: () => SigningSecret;
  readonly publicUrl: string;
  /** Prefix of file URLs. */
  readonly filesUrl: string;
  /** Whether there is a CDN, which can verify file URLs with `edgeKeyOf`. */
  readonly hasEdge: boolean;
  readonly lifetimeMs: number;
  readonly now: () => number;
}): FileSigner {
  const signatureOf = (text: string, secret: string) => createHmac('sha256', secret).update(text).digest('base64url');
  let signedWith = '';
  /** Returns the signing key. All remembered URLs were signed with the same secret. */
  const signing = () => {
    const secret = options.secrets().signing;
    if (secret !== signedWith) for (const memory of [files, events]) memory.clear();
    signedWith = secret;
    return secret;
  };
  /** Checks a signature in both forms, so that a CDN can be added or removed while file URLs are valid. */
  const isSigned = (key: string, expiresAt: number, signature: string) => {
    const { accepted } = options.secrets();
    const isSignedWith = (secret: string) => sameText(signatureOf(textOf(key, expiresAt), secret), signature);
    return (
      accepted.some(isSignedWith) || (isFileKey(key) && accepted.some((secret) => isSignedWith(edgeKeyOf(secret))))
    );
  };
  const files = createUrlMemory(options.lifetimeMs, BUCKET_MS);
  const events = createUrlMemory(EVENTS_LIFETIME_MS, EVENTS_BUCKET_MS);
  const signUntil = (path: string, key: string, expiresAt: number, secret: string) =>
    flatText(path, `?expires=${expiresAt}&signature=`, signatureOf(textOf(key, expiresAt), secret));
  const verify: FileSigner['verify'] = (key, expires, signature) => {
    const expiresAt = Number(expires);
    // Not cached: anyone can send invented URLs.
    if (!/^\d{1,15}$/.test(expires) || !isSigned(key, expiresAt, signature)) return 'wrong';
    return expiresAt < options.now() ? 'expired' : 'good';
  };
  const signerAt = (publicUrl: string, filesUrl: string): FileSigner => ({
    sign(key) {
      const secret = signing();
      const { path, expiresAt } = files.get(key, options.now(), (end) =>
        signUntil(`/files/${key}`, key, end, options.hasEdge ? edgeKeyOf(secret) : secret),
      );
      return { url: flatText(filesUrl, path), expiresAt };
    },
    verify,
    signEvents(type, taskId) {
      const secret = signing();
      const { path } = events.get(taskId, options.now(), (end) =>
        signUntil(`/v1/${type}s/${taskId}/events`, eventsKey(taskId), end, secret),
      );
      return flatText(publicUrl, path);
    },
    verifyEvents: (taskId, expires, signature) => verify(eventsKey(taskId), expires, signature),
    signExactly: (key, expiresAt) =>
      `?expires=${expiresAt}&signature=${signatureOf(textOf(key, expiresAt), signing())}`,
    at: (other) => signerAt(other, options.hasEdge ? filesUrl : other),
  });
  return signerAt(options.publicUrl, options.filesUrl);
}

/** Remembers the URLs of the current time bucket: in a new bucket all URLs change. */
function createUrlMemory(lifetimeMs: number, bucketMs: number) {
  let expiresAt = 0;
  const urls = new Map<string, string>();
  return {
    clear: () => urls.clear(),
    get(name: string, now: number, sign: (expiresAt: number) => string): { path: string; expiresAt: number } {
      const end = Math.ceil((now + lifetimeMs) / bucketMs) * bucketMs;
      if (end !== expiresAt) urls.clear();
      expiresAt = end;
      let path = urls.get(name);
      if (path === undefined) {
        if (urls.size >= REMEMBERED) urls.clear();
        path = sign(end);
        urls.set(name, path);
      }
      return { path, expiresAt };
    },
  };
}

/** Returns the text that is signed. */
function textOf(key: string, expiresAt: number): string {
  return `${key}\n${expiresAt}`;
}

/** Tells whether a key is that of a file: all other keys have a colon. */
function isFileKey(key: string): boolean {
  return !key.includes(':');
}

/** Returns the signed key of a task's events. No file has such a key, so a signature is never valid for both. */
function eventsKey(taskId: string): string {
  return `events:${taskId}`;
}

/** Compares the texts, because a changed last character may decode to the same bytes. */
function sameText(expected: string, found: string): boolean {
  const a = Buffer.from(expected);
  const b = Buffer.from(found);
  return a.length === b.length && timingSafeEqual(a, b);
}
