import { canonicalAddress } from './address-rules.ts';

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127\./.test(host);
}

/** Returns the URL by which this machine reaches a service that listens on `host`, which may be a wildcard address. */
export function loopbackUrl(host: string, port: number): string {
  const near = isWildcard(host) ? 'localhost' : host;
  return `http://${near.includes(':') ? `[${near}]` : near}:${port}`;
}

/** Tells whether a host stands for all addresses of a machine, and so is the address of none. */
export function isWildcard(host: string): boolean {
  const address = canonicalAddress(host);
  return address === '0.0.0.0' || address === '::';
}

/** Returns the path of a public URL without a slash at the end; empty if it has none. */
export function publicPath(publicUrl: string): string {
  return new URL(publicUrl).pathname.replace(/\/$/, '');
}
