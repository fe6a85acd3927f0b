import { ADDITIONS } from '../../src/additions/list.ts';
import { UPSTREAM_KEYS, upstreamKeysWith } from '../../src/additions/upstream-keys/upstream-keys.ts';
import type { Addition } from '../../src/service/addition.ts';

/** Returns all additions, with these engines for upstream keys instead of those at the vendors' own addresses. */
export function withUpstreamKeys(kinds: Parameters<typeof upstreamKeysWith>[0]): readonly Addition[] {
  return ADDITIONS.map((addition) => (addition === UPSTREAM_KEYS ? upstreamKeysWith(kinds) : addition));
}
