import { createMinimaxEngine } from '@darkroom-service/engines/adapters';
import { openFakeMinimax } from '@darkroom-service/engines/fakes';
import { shippedRoutes } from '../../helpers/catalog-routes.ts';

await shippedRoutes('minimax', {
  openFake: openFakeMinimax,
  openEngine: (fake, tools) => createMinimaxEngine({ ...tools, url: fake.url }),
});
