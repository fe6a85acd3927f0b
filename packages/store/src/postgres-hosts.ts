/**
 * The kind of server that a connection needs. `writes`: the one that accepts writes. `standby`: one that does not, if
 * any answers.
 */
export type ServerKind = 'writes' | 'standby';

/** The servers of a PostgreSQL URL, in its order. */
export interface PostgresHosts {
  /** URLs, one for each server. */
  readonly urls: readonly string[];
  /** The kind of server; null if the URL names one server and requires no kind. */
  readonly target: ServerKind | null;
}

const URL_PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#\s]*@)?)([^/?#@\s]*)([/?#]\S*)?$/;
const MOST_HOSTS = 8;
/** Values of `target_session_attrs`, named as in libpq. */
const TARGETS: Readonly<Record<string, ServerKind>> = {
  'read-write': 'writes',
  primary: 'writes',
  'prefer-standby': 'standby',
};

/**
 * Parses a URL such as `postgres://user@a:5432,b:5432/darkroom?target_session_attrs=read-write`. Several servers
 * without this parameter mean the one that accepts writes.
 * @returns null if it is no URL of PostgreSQL
 */
export function parseHosts(url: string): PostgresHosts | null {
  const [, start = '', list = '', rest = ''] = URL_PARTS.exec(url) ?? [];
  const urls = list.split(',').map((host) => `${start}${host}${rest}`);
  if (start === '' || urls.length > MOST_HOSTS || !urls.every((one) => URL.canParse(one))) return null;
  const isList = urls.length > 1;
  if (isList && list.split(',').includes('')) return null;
  const attributes = new URL(urls[0] ?? '').searchParams.get('target_session_attrs');
  const target = attributes === null ? (isList ? 'writes' : null) : (TARGETS[attributes] ?? null);
  return isList && target === null ? null : { urls, target };
}

/** Returns host, port and database of a URL, without user and password. */
export function serverOf(url: string): string {
  const servers = (parseHosts(url)?.urls ?? []).map((one) => new URL(one));
  if (servers.length === 0) return 'an unreadable address';
  return `${servers.map(({ host }) => host).join(',')}${servers[0]?.pathname}`;
}

/**
 * Tells whether a value is a URL of PostgreSQL.
 * @param isReplica whether a standby will do, which a list of servers then asks for
 */
export function isPostgresUrl(value: string, isReplica: boolean): boolean {
  const hosts = /^postgres(ql)?:\/\/\S+$/.test(value) ? parseHosts(value) : null;
  return hosts !== null && (hosts.target === null || hosts.target === (isReplica ? 'standby' : 'writes'));
}
