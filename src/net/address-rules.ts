import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** `allowed`, or what makes the address one that nobody outside may have us reach. */
export type AddressVerdict =
  | 'allowed'
  | 'loopback'
  | 'private'
  | 'link_local'
  | 'metadata'
  | 'shared'
  | 'multicast'
  | 'reserved'
  | 'not_an_address';

export type UrlVerdict = { readonly ok: true; readonly url: URL } | { readonly ok: false; readonly message: string };

/** Presigned addresses with session tokens pass 2,048 characters; nothing honest passes this. */
const MAX_URL_LENGTH = 4096;

const LOCAL_SUFFIXES = ['.localhost', '.local', '.localdomain', '.internal', '.intranet', '.lan', '.home.arpa'];

/** Public by range, and yet the door to a cloud's own machinery (Azure's wire server). */
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

/** Only 2000::/3 is routed on the internet; of it these carry protocols, tunnels (Teredo, 6to4) or examples, never a server of pictures. */
const IPV6_GLOBAL = ipaddr.IPv6.parseCIDR('2000::/3');
const IPV6_NEVER = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map((range) =>
  ipaddr.IPv6.parseCIDR(range),
);
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * Whether an address may be reached.
 * @param address an IP address in its usual form, as a resolver gives it.
 * @param allowed address ranges (`10.1.0.0/16`, `::1/128`) or single addresses that may be reached whatever they are.
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

/** Whether a text is an address range or a single address, as `judgeAddress` takes them. */
export function isAddressRange(text: string): boolean {
  return parseRange(text) !== null;
}

/**
 * What can be said of a URL without the network. The messages may be shown to whoever wrote the URL.
 * @param trustedOrigins origins (`http://10.0.0.5:8188`) whose host is not judged, such as a configured engine's own.
 */
export function judgeUrl(text: string, allowed: readonly string[], trustedOrigins: readonly string[] = []): UrlVerdict {
  if (text.length > MAX_URL_LENGTH) {
    return refused(`expected a URL of at most ${MAX_URL_LENGTH} characters, found ${text.length}`);
  }
  if (hasBlankOrControl(text))
    return refused('expected a URL without blanks and control characters: encode them as %20 and so on');
  const url = URL.parse(text);
  if (url === null) return refused('expected a complete URL such as https://example.com/fox.png');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return refused(`expected a URL that starts with https:// or http://, found ${url.protocol}`);
  }
  if (url.username !== '' || url.password !== '') return refused('expected a URL without user name and password in it');
  if (url.port === '0') return refused('port 0 cannot be reached');
  url.hash = '';
  if (trustedOrigins.includes(url.origin)) return { ok: true, url };
  return judgeHost(url, allowed);
}

function judgeHost(url: URL, allowed: readonly string[]): UrlVerdict {
  const host = bareHost(url);
  if (isIP(host) !== 0) {
    return judgeAddress(host, allowed) === 'allowed'
      ? { ok: true, url }
      : refused(`${url.hostname} is not an address on the public internet`);
  }
  // Where an operator opened private ranges, names inside them are wanted: the address they resolve to decides then.
  if (allowed.length === 0 && isLocalName(host)) return refused(`${url.hostname} is not a name on the public internet`);
  return { ok: true, url };
}

/** The host of a URL as a resolver or a socket takes it: no brackets around IPv6, no closing dot. */
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

/** ::ffff:a.b.c.d is the IPv4 address it carries: a socket connects to that. */
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
