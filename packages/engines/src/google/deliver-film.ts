import type { Delivery } from '../engine.ts';
import { deliver } from '../upstream/output-list.ts';
import type { Upstream } from '../upstream/upstream-call.ts';

const API_HOST = 'generativelanguage.googleapis.com';

/**
 * Delivers a file. A file at the API itself is fetched from the configured address with the key; other files are
 * fetched without credentials.
 */
export function deliverFilm(api: Upstream, uri: string, headers: Readonly<Record<string, string>>): Delivery {
  const url = URL.parse(uri);
  if (url === null || (url.origin !== api.origin && url.hostname !== API_HOST)) return deliver(api, [uri]);
  return deliver(api, [`${api.origin}${url.pathname}${url.search}`], { headers });
}
