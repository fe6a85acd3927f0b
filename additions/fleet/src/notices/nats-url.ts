/** Servers of one NATS cluster, and the credentials. */
export interface NatsServers {
  /** URLs, each with a host and perhaps a port. */
  readonly urls: readonly URL[];
  readonly isTls: boolean;
  readonly credentials: { readonly user?: string; readonly pass?: string; readonly token?: string };
}

const URL_PARTS = /^(nats|tls):\/\/(?:([^/?#@:\s]+)(?::([^/?#@:\s]*))?@)?([^/?#@\s]+)\/?$/;
const MOST_HOSTS = 8;

/**
 * Parses a URL such as `nats://user:password@a:4222,b:4222` or `tls://token@host`.
 * @throws Error if it is no URL of NATS
 */
export function parseNatsUrl(url: string): NatsServers {
  const [, scheme, user, pass, list = ''] = URL_PARTS.exec(url) ?? [];
  const urls = list.split(',').map((host) => new URL(`nats://${host}`));
  if (urls.length > MOST_HOSTS || urls.some(({ hostname }) => hostname === ''))
    throw new Error('expected a URL such as nats://user:password@host:4222');
  const [first, second] = [user, pass].map((text) => decodeURIComponent(text ?? '')) as [string, string];
  const signIn = pass === undefined ? { token: first } : { user: first, pass: second };
  return { urls, isTls: scheme === 'tls', credentials: user === undefined ? {} : signIn };
}

/** Tells whether a value names NATS servers. */
export function isNatsUrl(value: string): boolean {
  try {
    parseNatsUrl(value);
    return true;
  } catch {
    return false;
  }
}
