import { isIPv6 } from 'node:net';
import { ConfigFault } from './config-fault.ts';
import { DEFAULT_HOST, DEFAULT_PORT } from './default-address.ts';
import { type Environment, withoutEmpty } from './environment.ts';
import { withoutServiceLinks } from './service-links.ts';

/** Address of the running service that a command calls, and its API key. */
export interface ClientSettings {
  /** The address without a trailing slash. */
  readonly url: string;
  readonly apiKey: string | null;
}

/**
 * Reads the service's URL and the API key for commands. Without `DARKROOM_URL` it is the address where `darkroom serve`
 * listens with the same variables.
 * @throws ConfigFault
 */
export function loadClientSettings(environment: Environment): ClientSettings {
  const own = withoutEmpty(withoutServiceLinks(environment).own);
  const url = own.DARKROOM_URL ?? ownUrl(own);
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    const message = `expected a URL such as http://127.0.0.1:8080, found ${JSON.stringify(url)}`;
    throw new ConfigFault([{ variable: 'DARKROOM_URL', message }]);
  }
  return { url: url.replace(/\/+$/, ''), apiKey: own.DARKROOM_API_KEY ?? null };
}

/**
 * Returns the address where `darkroom serve` listens. `PORT` is not read: in an application's own folder it is the port
 * of the application, which must not get the key.
 */
function ownUrl(own: Environment): string {
  const port = own.DARKROOM_PORT ?? String(DEFAULT_PORT);
  const fault = (message: string) => new ConfigFault([{ variable: 'DARKROOM_PORT', message }]);
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw fault(`expected a whole number from 0 to 65535, found ${JSON.stringify(port)}`);
  if (Number(port) === 0)
    throw fault('0 lets the service pick a port, so a command cannot know it. Set DARKROOM_URL to the address');
  return `http://${hostOf(own.DARKROOM_HOST ?? DEFAULT_HOST)}:${Number(port)}`;
}

/** Returns the host for clients: a service on every address of the machine is called at the loopback address. */
function hostOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return isIPv6(host) ? `[${host}]` : host;
}
