import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { judgeAddress } from './address-rules.ts';
import { FetchFault } from './fetch-fault.ts';
import { type OutgoingProxies, portOf, proxyFor } from './outgoing-proxies.ts';
import { openTunnel } from './proxy-tunnel.ts';

/** Resolves a host name to all of its addresses. */
export type Lookup = (host: string) => Promise<readonly ResolvedAddress[]>;

interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

interface JudgedConnectOptions {
  readonly lookup: Lookup;
  /** The only addresses that may be reached; null = all. */
  readonly allowedAddresses: readonly string[] | null;
  readonly timeoutMs: number;
  /** Outgoing proxies; null = every host is reached directly. */
  readonly proxies: OutgoingProxies | null;
}

/**
 * Creates a connector that resolves a name once, checks every address found, and connects to those same addresses, or
 * lets a proxy connect to one of them: no name is resolved again between check and connection, unless the proxy
 * resolves names itself. A proxy resolves the names of hosts that may have any address. Every failure is a FetchFault,
 * and nothing was sent.
 */
export function createJudgedConnect(options: JudgedConnectOptions): buildConnector.connector {
  const { allowedAddresses, timeoutMs, proxies } = options;
  const connect = buildConnector({ lookup: judgedLookup(options), timeout: timeoutMs, allowH2: false });
  return function judgedConnect(target, callback) {
    const { hostname, protocol } = target;
    // A literal address never passes through the lookup.
    if (allowedAddresses !== null && isIP(hostname) !== 0) {
      if (judgeAddress(hostname, allowedAddresses) !== 'allowed') {
        callback(refusal(hostname), null);
        return;
      }
    }
    const done: buildConnector.Callback = (...[error, socket]) => {
      if (error === null) callback(null, socket);
      else callback(connectFault(hostname, error), null);
    };
    const proxy = proxies === null ? null : proxyFor(target, proxies);
    if (proxy === null) {
      connect(target, done);
      return;
    }
    tunnelTo(proxy, target, options).then(
      (socket) => {
        if (protocol === 'https:') connect({ ...target, httpSocket: socket }, done);
        else done(null, socket);
      },
      (error) => done(error, null),
    );
  };
}

async function tunnelTo(
  proxy: URL,
  { hostname, protocol, port }: buildConnector.Options,
  options: JudgedConnectOptions,
): ReturnType<typeof openTunnel> {
  const isByName = isIP(hostname) !== 0 || options.allowedAddresses === null || options.proxies?.resolves === true;
  const address = isByName ? hostname : await judgedAddress(hostname, options);
  const to = `${address.includes(':') ? `[${address}]` : address}:${port || portOf(protocol)}`;
  return await openTunnel(proxy, to, { host: hostname, timeoutMs: options.timeoutMs });
}

/** Returns a checked address of a host, preferably IPv4, which every proxy reaches. */
async function judgedAddress(host: string, options: JudgedConnectOptions): Promise<string> {
  const found = await resolveJudged(host, options);
  return (found.find(({ family }) => family === 4) ?? found[0]).address;
}

async function resolveJudged(
  host: string,
  { lookup, allowedAddresses }: JudgedConnectOptions,
): Promise<readonly [ResolvedAddress, ...ResolvedAddress[]]> {
  const [first, ...others] = await lookup(host).catch((error: unknown) => {
    throw unresolved(host, error);
  });
  if (first === undefined) throw unresolved(host);
  const found = [first, ...others] as const;
  if (allowedAddresses !== null) {
    const isAllowed = ({ address }: ResolvedAddress) => judgeAddress(address, allowedAddresses) === 'allowed';
    if (!found.every(isAllowed)) throw refusal(host);
  }
  return found;
}

function judgedLookup(judged: JudgedConnectOptions): LookupFunction {
  return function lookupAndJudge(host, options, callback) {
    resolveJudged(host, judged).then(
      (found) => {
        if (options.all) callback(null, [...found]);
        else callback(null, found[0].address, found[0].family);
      },
      (error) => callback(error, ''),
    );
  };
}

function refusal(host: string): FetchFault {
  return new FetchFault('refused_address', `${host} does not resolve to a public address`, {
    sent: 'no',
  });
}

function unresolved(host: string, cause?: unknown): FetchFault {
  return new FetchFault('dns', `the name ${host} could not be resolved`, { sent: 'no', cause });
}

function connectFault(host: string, cause: Error): FetchFault {
  if (cause instanceof FetchFault) return cause;
  if ('code' in cause && (cause.code === 'UND_ERR_CONNECT_TIMEOUT' || cause.code === 'ETIMEDOUT')) {
    return new FetchFault('timeout', `${host} did not accept a connection in time`, { sent: 'no', cause });
  }
  return new FetchFault('connect', `could not connect to ${host}`, { sent: 'no', cause });
}
