import { isLoopback, loopbackUrl } from '@darkroom-service/media';
import type { Config } from './config/config.ts';

/** Returns a warning for the operator about a missing public URL; null if none is needed. */
export function missingPublicUrl({
  host,
  port,
  publicUrl,
}: Pick<Config, 'host' | 'port' | 'publicUrl'>): string | null {
  if (publicUrl !== null || isLoopback(host)) return null;
  return `DARKROOM_PUBLIC_URL is not set, but ${host} is open to the network: what no request asks for, such as a webhook, links to ${loopbackUrl(host, port)}. Set it to the URL that clients use.`;
}
