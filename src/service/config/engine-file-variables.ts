import { Type } from 'typebox';
import { ROUTE_POLICIES, type RoutePolicy } from '../../routing/pick-route.ts';

/** Settings for several accounts at one upstream, and for the choice among routes. */
export const ENGINE_FILE_VARIABLES = {
  DARKROOM_ENGINES_FILE: Type.Optional(
    Type.String({
      expected: 'a file such as engines.json',
      description:
        'A JSON file with [named instances](engines.md#several-accounts-at-one-upstream) of engines, in addition to those of variables.',
    }),
  ),
  DARKROOM_ENGINES_DIR: Type.Optional(
    Type.String({
      expected: 'a directory',
      description: 'A directory of [engines of your own](engines.md#an-engine-of-your-own), each a JavaScript file.',
    }),
  ),
  DARKROOM_ROUTE_POLICY: Type.Unsafe<RoutePolicy>({
    type: 'string',
    enum: [...ROUTE_POLICIES],
    expected: `one of ${ROUTE_POLICIES.join(', ')}`,
    description:
      'The choice among ready routes: as written, by the weights of the instances, by expected cost, or by measured duration.',
    default: 'order',
  }),
} as const;
