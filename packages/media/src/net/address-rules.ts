import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** `allowed`, or the reason why outsiders must not make the service connect to an address. */
type AddressVerdict =
  | 'allowed'
  | 'loopback'
  | 'private'
  | 'link_local'
  | 'metadata'
  | 'shared'
  | 'multicast'
  | 'reserved'
  | 'not_an_address';

type UrlVerdict =
  | {
      readonly ok: true;
      readonly url: URL;
      /** The URL as written, or as browsers read it if it contains spaces or control characters. */
      readonly text: string;
    }
  | { readonly ok: false; readonly message: string };

/** Maximum characters of a URL: presigned ones with session tokens exceed 2,048, legitimate ones stay below this. */
const MAX_URL_LENGTH = 4096;

const LOCAL_SUFFIXES = ['.localhost', '.local', '.localdomain', '.internal', '.intranet', '.lan', '.home.arpa'];

/** Addresses of a cloud's internal services (such as Azure's wire server), in public ranges or not. */
const METADATA_ADDRESSES = ['169.254.169.254', '168.63.129.16', '100.100.100.200', '192.0.0.192', 'fd00:ec2::254'];

const IPV4_VERDICTS: Readonly<Record<string, AddressVerdict>> = {
  unicast: 'allowed',
  loopback: 'loopback',
  private: 'private',
  linkLocal: 'link_local',
  carrierGradeNat: 'shared',
  multicast: 'multicast',
};

const IPV6_VERDICTS: Readonly<Record<string, AddressVerdict>> = {
  loopback: 'loopback',
  uniqueLocal: 'private',
  linkLocal: 'link_local',
  multicast: 'multicast',
};

/**
 * The only IPv6 range that is routed on the internet. Within it, the ranges below are for protocols, tunnels (Teredo,
 * 6to4) or examples, never for a server.
 */
const IPV6_GLOBAL = ipaddr.IPv6.parseCIDR('2000::/3');
const IPV6_NEVER = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map((range) =>
  ipaddr.IPv6.parseCIDR(range),
);
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * Decides whether the service may connect to an address.
 * @param address an IP address in standard notation, as a resolver returns it.
 * @param allowed address ranges (`10.1.0.0/16`, `::1/128`) or single addresses that are allowed even if they are
 * private.
 */
export function judgeAddress(address: string, allowed: readonly string[]): AddressVerdict {
  if (isIP(address) === 0) return 'not_an_address';
  const parsed = withoutMapping(ipaddr.parse(address));
  if (allowed.some((range) => contains(range, parsed))) return 'allowed';
  if (METADATA_ADDRESSES.some((metadata) => ipaddr.parse(metadata).toString() === parsed.toString())) return 'metadata';
  if (parsed instanceof ipaddr.IPv4) return IPV4_VERDICTS[parsed.range()] ?? 'reserved';
  if (parsed.match(NAT64)) return judgeAddress(lastFourBytes(parsed), allowed);
  if (parsed.match(IPV6_GLOBAL) && !IPV6_NEVER.some((range) => parsed.match(range))) return 'allowed';
  return IPV6_VERDICTS[parsed.range()] ?? 'reserved';
}

/**
 * Returns the canonical notation of an address, or null if the text is none.
 * @param text an address in the form of a proxy or socket: with a port, brackets or a zone, or an IPv4 address mapped
 * into IPv6
 */
export function canonicalAddress(text: string): string | null {
  const [, bracketed, dotted] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  const address = (bracketed ?? dotted ?? text).replace(/%.*$/, '');
  return isIP(address) === 0 ? null : withoutMapping(ipaddr.parse(address)).toString();
}

/**
 * Returns the network of a client: its IPv4 address, or the first 64 bits of IPv6, a range that one client owns.
 * @param address as `canonicalAddress` returns it
 */
export function networkOf(address: string): string {
  const parsed = ipaddr.parse(address);
  return parsed instanceof ipaddr.IPv4
    ? parsed.toString()
    : ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/64`).toString();
}

/** Tells whether a text is an address range or a single address, as `judgeAddress` accepts them. */
export function isAddressRange(text: string): boolean {
  return parseRange(text) !== null;
}

/** Tells whether an address lies in a range. @param range as `isAddressRange` accepts it */
export function isInRange(address: string, range: string): boolean {
  return contains(range, withoutMapping(ipaddr.parse(address)));
}

/**
 * Checks a URL as browsers read it (WHATWG URL), without using the network. The messages may be shown to the author of
 * the URL.
 * @param trustedOrigins origins (`http://10.0.0.5:8188`) whose host is not checked, such as that of a configured
 * engine.
 */
export function judgeUrl(text: string, allowed: readonly string[], trustedOrigins: readonly string[] = []): UrlVerdict {
  if (text.length > MAX_URL_LENGTH) {
    return refused(`expected a URL of at most ${MAX_URL_LENGTH} characters, found ${text.length}`);
  }
  const url = URL.parse(text);
  if (url === null) return refused('expected a complete URL such as https://example.com/fox.png');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return refused(`expected a URL that starts with https:// or http://, found ${url.protocol}`);
  }
  if (url.username !== '' || url.password !== '') return refused('expected a URL without user name and password');
  if (url.port === '0') return refused('port 0 cannot be reached');
  url.hash = '';
  const reason = trustedOrigins.includes(url.origin) ? null : refusalOfHost(url, allowed);
  if (reason !== null) return refused(reason);
  return { ok: true, url, text: hasBlankOrControl(text) ? url.href : text };
}

/** Hint for people who try the service on their own machine with a local webhook receiver. */
const PRIVATE_HINT = '; the operator can allow private ranges with DARKROOM_ALLOWED_ADDRESSES';

function refusalOfHost(url: URL, allowed: readonly string[]): string | null {
  const host = bareHost(url);
  if (isIP(host) !== 0) {
    if (judgeAddress(host, allowed) === 'allowed') return null;
    return `${url.hostname} is not an address on the public internet${PRIVATE_HINT}`;
  }
  // An operator who allowed private ranges wants local names to work: then the address a name resolves to decides.
  if (allowed.length > 0 || !isLocalName(host)) return null;
  return `${url.hostname} is not a name on the public internet${PRIVATE_HINT}`;
}

/**
 * Returns the host of a URL as resolvers and sockets expect it: without brackets around IPv6 and without a trailing
 * dot.
 */
function bareHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

function isLocalName(host: string): boolean {
  return !host.includes('.') || LOCAL_SUFFIXES.some((suffix) => host.endsWith(suffix));
}

function hasBlankOrControl(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code <= 0x20 || code === 0x7f) return true;
  }
  return false;
}

/** Unwraps ::ffff:a.b.c.d to IPv4, since a socket connects to the IPv4 address. */
function withoutMapping(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

function lastFourBytes(address: ipaddr.IPv6): string {
  return address.toByteArray().slice(-4).join('.');
}

function contains(text: string, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const range = parseRange(text);
  if (range === null) throw new RangeError(`expected an address range such as 10.0.0.0/8, found "${text}"`);
  const [network, prefix] = range;
  if (network instanceof ipaddr.IPv4) return address instanceof ipaddr.IPv4 && address.match(network, prefix);
  return address instanceof ipaddr.IPv6 && address.match(network, prefix);
}

function parseRange(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] | null {
  const [network = '', prefix, ...rest] = text.split('/');
  const family = isIP(network);
  if (family === 0 || rest.length > 0) return null;
  const bits = family === 4 ? 32 : 128;
  if (prefix === undefined) return [ipaddr.parse(network), bits];
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits ? [ipaddr.parse(network), Number(prefix)] : null;
}

function refused(message: string): UrlVerdict {
  return { ok: false, message };
}
