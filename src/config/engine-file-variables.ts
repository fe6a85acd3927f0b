import { Type } from 'typebox';
import { ROUTE_POLICIES, type RoutePolicy } from '../routing/pick-route.ts';

/** Settings for several accounts at one upstream, and for the choice among routes. */
export const ENGINE_FILE_VARIABLES = {
  DARKROOM_ENGINES_FILE: Type.Optional(
    Type.String({
      expected: 'a file such as engines.json',
      description:
        'A JSON file with named instances of engines, beside those that variables switch on; see [engines.md](engines.md#several-accounts-at-one-upstream).',
    }),
  ),
  DARKROOM_ENGINES_DIR: Type.Optional(
    Type.String({
      expected: 'a directory',
      description:
        'A directory of engines of your own, each a file of JavaScript; see [engines.md](engines.md#an-engine-of-your-own).',
    }),
  ),
  DARKROOM_ROUTE_POLICY: Type.Unsafe<RoutePolicy>({
    type: 'string',
    enum: [...ROUTE_POLICIES],
    expected: `one of ${ROUTE_POLICIES.join(', ')}`,
    description:
      'How a route is chosen among those that are ready: as written, by the weights of the instances, by expected cost, or by measured duration.',
    default: 'order',
  }),
} as const;
