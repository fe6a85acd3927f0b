import { shippedRoutes } from '../../../test/catalog-routes.ts';
import { openFakeMinimax } from '../../../test/fakes/minimax.ts';
import { createMinimaxEngine } from './minimax-engine.ts';

await shippedRoutes('minimax', {
  openFake: openFakeMinimax,
  openEngine: (fake, tools) => createMinimaxEngine({ ...tools, url: fake.url }),
});
