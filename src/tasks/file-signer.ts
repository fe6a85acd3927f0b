import { createHmac, timingSafeEqual } from 'node:crypto';

const BUCKET_MS = 12 * 60 * 60 * 1000;
const EVENTS_LIFETIME_MS = 60 * 60 * 1000;
const EVENTS_BUCKET_MS = 10 * 60 * 1000;
const REMEMBERED = 20_000;

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
  /** Returns the URLs of a share link's page and of its file, valid until exactly `expiresAt`. */
  signShare(shareId: string, expiresAt: number): { readonly url: string; readonly fileUrl: string };
  verifyShare(shareId: string, expires: string, signature: string): 'good' | 'expired' | 'wrong';
}

/** @param lifetimeMs the minimum validity of a URL; the expiry is rounded up to twelve hours */
export function createFileSigner(options: {
  readonly secret: string;
  readonly publicUrl: string;
  readonly lifetimeMs: number;
  readonly now: () => number;
}): FileSigner {
  const remembered = new Map<string, string>();
  const signatureOf = (text: string) =>
    remembered.get(text) ?? createHmac('sha256', options.secret).update(text).digest('base64url');
  const signUntil = (path: string, key: string, lifetimeMs: number, bucketMs: number) => {
    const expiresAt = Math.ceil((options.now() + lifetimeMs) / bucketMs) * bucketMs;
    const text = textOf(key, expiresAt);
    const signature = signatureOf(text);
    if (!remembered.has(text)) {
      if (remembered.size >= REMEMBERED) remembered.clear();
      remembered.set(text, signature);
    }
    return { url: `${options.publicUrl}${path}?expires=${expiresAt}&signature=${signature}`, expiresAt };
  };
  const verify: FileSigner['verify'] = (key, expires, signature) => {
    const expiresAt = Number(expires);
    // Not cached: anybody can send invented URLs.
    if (!/^\d{1,15}$/.test(expires) || !sameText(signatureOf(textOf(key, expiresAt)), signature)) return 'wrong';
    return expiresAt < options.now() ? 'expired' : 'good';
  };
  return {
    sign: (key) => signUntil(`/files/${key}`, key, options.lifetimeMs, BUCKET_MS),
    verify,
    signEvents: (type, taskId) =>
      signUntil(`/v1/${type}s/${taskId}/events`, eventsKey(taskId), EVENTS_LIFETIME_MS, EVENTS_BUCKET_MS).url,
    verifyEvents: (taskId, expires, signature) => verify(eventsKey(taskId), expires, signature),
    signShare: (shareId, expiresAt) => {
      const query = `?expires=${expiresAt}&signature=${signatureOf(textOf(shareKey(shareId), expiresAt))}`;
      const page = `${options.publicUrl}/shares/${shareId}`;
      return { url: `${page}${query}`, fileUrl: `${page}/file${query}` };
    },
    verifyShare: (shareId, expires, signature) => verify(shareKey(shareId), expires, signature),
  };
}

/** Returns the text that is signed. */
function textOf(key: string, expiresAt: number): string {
  return `${key}\n${expiresAt}`;
}

/** No file has such a key, so a signature is never valid for both. */
function eventsKey(taskId: string): string {
  return `events:${taskId}`;
}

function shareKey(shareId: string): string {
  return `share:${shareId}`;
}

/** Compares the texts, because a changed last character may decode to the same bytes. */
function sameText(expected: string, found: string): boolean {
  const a = Buffer.from(expected);
  const b = Buffer.from(found);
  return a.length === b.length && timingSafeEqual(a, b);
}
