import { openFakeReplicate } from '@darkroom-service/engines/fakes/replicate';
import { REPLICATE_INPUTS } from '@darkroom-service/engines/fakes/replicate-inputs';
import { createReplicateEngine } from '@darkroom-service/engines/replicate/replicate-engine';
import { shippedRoutes } from '../../catalog-routes.ts';

await shippedRoutes('replicate', {
  openFake: () => openFakeReplicate(REPLICATE_INPUTS),
  openEngine: (fake, { key, ...tools }) => createReplicateEngine({ ...tools, token: key, url: fake.url }),
});
