import type { Attack, Target } from '../attack.ts';
import { bearer, flood, type Shot } from './flood.ts';

const MOST = 50_000;
/** Well-formed, checksum included, and no key of anybody: what a stranger may find on a page of the documentation. */
const FOREIGN_KEY = 'dk_live_0000000000000000000000000000000000000';

/** Many small requests that cost the attacker next to nothing. */
export const REQUEST_ATTACKS: readonly Attack[] = [
  floodOf('requests without a key', 'anonymous', 32, () => ({ path: '/v1/account' })),
  floodOf('requests with an unknown key', 'anonymous', 32, () => ({
    path: '/v1/account',
    headers: { authorization: `Bearer ${FOREIGN_KEY}` },
  })),
  floodOf('unknown addresses', 'anonymous', 32, (_target, turn) => ({ path: `/no/such/address/${turn}` })),
  floodOf('addresses of 3,900 segments', 'anonymous', 8, () => ({ path: `/${'a/'.repeat(3_900)}` })),
  floodOf('the catalog, uncompressed', 'anonymous', 16, () => ({ path: '/v1/catalog' })),
  floodOf('the script of the reference', 'anonymous', 8, () => ({ path: '/docs/reference/js/scalar.js' })),
  floodOf('the OpenAPI document', 'anonymous', 16, () => ({
    path: '/openapi.json',
    headers: { 'accept-encoding': 'gzip' },
  })),
  floodOf('lists over every filter', 'test key', 8, ({ testKey }) => ({
    path: '/v1/images?limit=100&status=queued,processing,failed,canceled&model_id=flux-2-pro&end_user=nobody',
    headers: bearer(testKey),
  })),
  floodOf('orders and nothing but orders', 'test key', 16, ({ testKey }, turn) => ({
    path: '/v1/images',
    headers: bearer(testKey),
    body: JSON.stringify({ model_id: 'sketch', prompt: `attack ${turn}`, size: '64x64', end_user: `nobody-${turn}` }),
  })),
  // After the orders, each of which has an end user of its own: so the report has thousands of groups.
  floodOf('usage by everything', 'test key', 4, ({ testKey }) => ({
    path: '/v1/account/usage?group_by=end_user,day,model_id,status&timing=true',
    headers: bearer(testKey),
  })),
  floodOf('waiting calls', 'test key', 256, ({ testKey }) => ({
    path: '/v1/images',
    headers: { ...bearer(testKey), prefer: 'wait=60' },
    body: JSON.stringify({ model_id: 'sketch', prompt: 'attack', simulate: { outcome: 'stuck' } }),
  })),
];

function floodOf(
  name: string,
  who: Attack['who'],
  connections: number,
  shot: (target: Target, turn: number) => Shot,
): Attack {
  return {
    name,
    who,
    run: (target, signal) =>
      flood({ url: target.url, connections, most: MOST, signal, shot: (turn) => shot(target, turn) }),
  };
}
