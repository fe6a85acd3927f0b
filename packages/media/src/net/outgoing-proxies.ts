import { isIP } from 'node:net';
import { isAddressRange, isInRange } from './address-rules.ts';

/** The proxies of outgoing connections, from the variables `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`. */
export interface OutgoingProxies {
  /** A URL that `readProxy` accepts, for targets with https; null = none. It may contain a password. */
  readonly https: string | null;
  /** The proxy for targets with http. */
  readonly http: string | null;
  /** Hosts that are reached without a proxy. See `isExceptedHost`. */
  readonly except: readonly string[];
  /**
   * Whether the proxy resolves the names of untrusted hosts, and its own rules decide which addresses they reach.
   * Otherwise names are resolved and checked here, and the proxy gets the address.
   */
  readonly resolves: boolean;
}

interface Target {
  readonly protocol: string;
  readonly hostname: string;
  readonly port: string;
}

/** Returns the proxy through which a host is reached; null = none. */
export function proxyFor({ protocol, hostname, port }: Target, proxies: OutgoingProxies): URL | null {
  const text = protocol === 'https:' ? proxies.https : proxies.http;
  if (text === null) return null;
  const host = hostname
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();
  const isExcepted = proxies.except.some((entry) => isExceptedHost(host, Number(port || portOf(protocol)), entry));
  return isExcepted ? null : readProxy(text);
}

/** Parses `http://user:password@host:port`, also with https, or without a scheme; null for anything else. */
export function readProxy(text: string): URL | null {
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  if (url === null || !/^https?:$/.test(url.protocol) || url.pathname + url.search + url.hash !== '/') return null;
  return isDecodable(url.username) && isDecodable(url.password) ? url : null;
}

/** Returns a proxy's URL without user and password. */
export function shownProxy({ protocol, host }: URL): string {
  return `${protocol}//${host}`;
}

export function portOf(protocol: string): string {
  return protocol === 'https:' ? '443' : '80';
}

/**
 * Tells whether an entry of `NO_PROXY` matches a host: `*`, a name with its subdomains (`example.com`, `.example.com`),
 * its subdomains only (`*.example.com`), an address or a range of addresses; all but ranges may name a port.
 */
function isExceptedHost(host: string, port: number, entry: string): boolean {
  if (entry === '*') return true;
  const [, bracketed, plain, only] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(entry) ?? [];
  if (only !== undefined && Number(only) !== port) return false;
  const name = (bracketed ?? plain ?? entry).toLowerCase().replace(/\.$/, '');
  if (isIP(host) !== 0) return isAddressRange(name) && isInRange(host, name);
  const bare = name.replace(/^\*?\./, '');
  return (host === bare && !name.startsWith('*')) || host.endsWith(`.${bare}`);
}

function isDecodable(text: string): boolean {
  try {
    // A bundler drops a call whose result nobody uses.
    return decodeURIComponent(text).length <= text.length;
  } catch {
    return false;
  }
}
