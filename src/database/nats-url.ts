/** Servers of one NATS cluster, and how to sign in. */
export interface NatsServers {
  readonly hosts: readonly { readonly host: string; readonly port: number }[];
  readonly isTls: boolean;
  /** At most one form. Without a password, a URL's user is a token. */
  readonly credentials: { readonly user: string; readonly pass: string } | { readonly token: string } | null;
}

const URL_PARTS = /^(nats|tls):\/\/(?:([^/?#@\s]*)@)?([^/?#@\s]+)\/?$/;
const MOST_HOSTS = 8;
const DEFAULT_PORT = 4_222;

/**
 * Reads a URL such as `nats://user:password@a:4222,b:4222` or `tls://token@host`.
 * @returns null if it is no such URL
 */
export function parseNatsUrl(url: string): NatsServers | null {
  const [, scheme, userInfo = '', list = ''] = URL_PARTS.exec(url) ?? [];
  const urls = list.split(',').map((host) => URL.parse(`nats://${host}`));
  if (scheme === undefined || urls.length > MOST_HOSTS) return null;
  const hosts = urls.flatMap((one) =>
    one === null || one.hostname === ''
      ? []
      : [{ host: one.hostname.replace(/^\[|\]$/g, ''), port: Number(one.port || DEFAULT_PORT) }],
  );
  const words = userInfo.split(':').map(decode);
  if (hosts.length < urls.length || words.length > 2 || words.includes(null)) return null;
  const [user = '', pass] = words as string[];
  if (user === '' && userInfo !== '') return null;
  const credentials = pass === undefined ? { token: user } : { user, pass };
  return { hosts, isTls: scheme === 'tls', credentials: userInfo === '' ? null : credentials };
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
