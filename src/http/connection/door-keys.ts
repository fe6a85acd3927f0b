import { ServiceError } from '@darkroom-service/contract';
import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** The query parameter that had the key, which a redirect must repeat; absent = the address had none. */
    keyParameter?: string;
  }
}

/** Places where clients of another dialect send their key, besides `Authorization: Bearer`. */
export interface KeyPlaces {
  /** Header whose value is the key, in lower case. */
  readonly header?: string;
  /** Query parameter whose value is the key. */
  readonly parameter?: string;
  /** Whether the password of basic authentication is the key. The user name is ignored. */
  readonly password?: boolean;
}

const BEARER = /^bearer +(\S+) *$/i;
const BASIC = /^basic +([\w+/=-]+) *$/i;

/**
 * Moves the key of a request to `Authorization: Bearer`, where the service reads it. A query parameter with the key is
 * removed from the address, so that nothing can log it.
 * @throws ServiceError `invalid_request` if the places have different keys
 */
export function moveKey(request: FastifyRequest, places: KeyPlaces): void {
  const { headers } = request.raw;
  const found = new Set([...keysInHeaders(request, places), ...takeParameters(request, places)]);
  const [key, ...others] = found;
  if (others.length > 0)
    throw new ServiceError('invalid_request', 'The request has two different API keys. Send one of them.');
  if (key !== undefined) headers.authorization = `Bearer ${key}`;
}

function keysInHeaders({ raw: { headers } }: FastifyRequest, { header, password = false }: KeyPlaces): string[] {
  const { authorization = '' } = headers;
  const [, bearer] = BEARER.exec(authorization) ?? [];
  const [, encoded] = (password ? BASIC.exec(authorization) : null) ?? [];
  const credentials = encoded === undefined ? null : Buffer.from(encoded, 'base64').toString();
  const secret = credentials?.slice(credentials.indexOf(':') + 1);
  const named = header === undefined ? undefined : headers[header];
  return [bearer, secret, named].filter((key) => typeof key === 'string' && key !== '') as string[];
}

/** Removes the parameter from the address and from the parsed query. @returns its values */
function takeParameters(request: FastifyRequest, { parameter }: KeyPlaces): string[] {
  const { raw } = request;
  const at = (raw.url ?? '').indexOf('?');
  if (parameter === undefined || at === -1) return [];
  const pairs = (raw.url ?? '').slice(at + 1).split('&');
  const nameOf = (pair: string) => [...new URLSearchParams(pair).keys()][0];
  const kept = pairs.filter((pair) => nameOf(pair) !== parameter);
  if (kept.length === pairs.length) return [];
  raw.url = `${raw.url?.slice(0, at)}${kept.length === 0 ? '' : `?${kept.join('&')}`}`;
  if ('originalUrl' in raw) raw.originalUrl = raw.url;
  const { [parameter]: taken, ...query } = request.query as Record<string, string | string[]>;
  request.query = query;
  request.keyParameter = parameter;
  return [taken ?? []].flat().filter((key) => key !== '');
}
