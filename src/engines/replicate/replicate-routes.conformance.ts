import { shippedRoutes } from '../../../test/catalog-routes.ts';
import { openFakeReplicate } from '../../../test/fakes/replicate.ts';
import { REPLICATE_INPUTS } from '../../../test/fakes/replicate-inputs.ts';
import { createReplicateEngine } from './replicate-engine.ts';

await shippedRoutes('replicate', {
  openFake: () => openFakeReplicate(REPLICATE_INPUTS),
  openEngine: (fake, { key, ...tools }) => createReplicateEngine({ ...tools, token: key, url: fake.url }),
});
