import { openFakeMinimax } from '@darkroom-service/engines/fakes/minimax';
import { createMinimaxEngine } from '@darkroom-service/engines/minimax/minimax-engine';
import { shippedRoutes } from '../../catalog-routes.ts';

await shippedRoutes('minimax', {
  openFake: openFakeMinimax,
  openEngine: (fake, tools) => createMinimaxEngine({ ...tools, url: fake.url }),
});
