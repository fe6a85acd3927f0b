import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { judgeAddress } from './address-rules.ts';
import { FetchFault } from './fetch-fault.ts';

/** Resolves a host name to all of its addresses. */
export type Lookup = (host: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;

interface JudgedConnectOptions {
  readonly lookup: Lookup;
  /** The only addresses that may be reached; null = all. */
  readonly allowedAddresses: readonly string[] | null;
  readonly timeoutMs: number;
}

/**
 * Creates a connector that resolves a name once, checks every address found, and connects to those same addresses: no
 * name is resolved again between check and connection. Every failure is a FetchFault, and nothing was sent.
 */
export function createJudgedConnect(options: JudgedConnectOptions): buildConnector.connector {
  const { allowedAddresses } = options;
  const connect = buildConnector({ lookup: judgedLookup(options), timeout: options.timeoutMs, allowH2: false });
  return function judgedConnect(target, callback) {
    // A literal address never passes through the lookup.
    if (allowedAddresses !== null && isIP(target.hostname) !== 0) {
      if (judgeAddress(target.hostname, allowedAddresses) !== 'allowed') {
        callback(refusal(target.hostname), null);
        return;
      }
    }
    connect(target, (...[error, socket]) => {
      if (error === null) callback(null, socket);
      else callback(connectFault(target.hostname, error), null);
    });
  };
}

function judgedLookup({ lookup, allowedAddresses }: JudgedConnectOptions): LookupFunction {
  return function lookupAndJudge(host, options, callback) {
    lookup(host).then(
      (found) => {
        const [first] = found;
        if (first === undefined) {
          callback(unresolved(host), '');
        } else if (
          allowedAddresses !== null &&
          !found.every(({ address }) => judgeAddress(address, allowedAddresses) === 'allowed')
        ) {
          callback(refusal(host), '');
        } else if (options.all) {
          callback(null, [...found]);
        } else {
          callback(null, first.address, first.family);
        }
      },
      (error) => callback(unresolved(host, error), ''),
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
