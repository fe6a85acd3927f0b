import { parseS3Url } from '@darkroom-service/files';
import { parseHosts } from '@darkroom-service/store';

/** Rejects user and password: the URL is used in public links, or called by code that sends no credentials. */
export function isWebAddress(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === '';
}

/** Whether storage can be opened at this URL. */
export function isS3Url(value: string): boolean {
  return canParse(parseS3Url, value);
}

/** Tells whether a parser takes a value. @param parse throws if it does not */
export function canParse(parse: (value: string) => unknown, value: string): boolean {
  try {
    parse(value);
    return true;
  } catch {
    return false;
  }
}

/**
 * Tells whether a value is a URL of PostgreSQL.
 * @param isReplica whether a standby will do, which a list of servers then asks for
 */
export function isPostgresUrl(value: string, isReplica: boolean): boolean {
  const hosts = /^postgres(ql)?:\/\/\S+$/.test(value) ? parseHosts(value) : null;
  return hosts !== null && (hosts.wish === null || hosts.wish === (isReplica ? 'standby' : 'writes'));
}
