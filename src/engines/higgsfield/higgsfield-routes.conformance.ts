import { shippedRoutes } from '../../../test/catalog-routes.ts';
import { openFakeHiggsfield } from '../../../test/fakes/higgsfield.ts';
import { createHiggsfieldEngine } from './higgsfield-engine.ts';

await shippedRoutes('higgsfield', {
  openFake: openFakeHiggsfield,
  openEngine: (fake, tools) => createHiggsfieldEngine({ ...tools, url: fake.url }),
});
