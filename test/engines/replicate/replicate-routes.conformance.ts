import { createReplicateEngine } from '@darkroom-service/engines/adapters';
import { openFakeReplicate, REPLICATE_INPUTS } from '@darkroom-service/engines/fakes';
import { shippedRoutes } from '../../helpers/catalog-routes.ts';

await shippedRoutes('replicate', {
  openFake: () => openFakeReplicate(REPLICATE_INPUTS),
  openEngine: (fake, { key, ...tools }) => createReplicateEngine({ ...tools, token: key, url: fake.url }),
});
