import { shippedRoutes } from '../../../test/catalog-routes.ts';
import { openFakeVertex } from '../../../test/fakes/vertex.ts';
import { vertexAccess } from '../../../test/fakes/vertex-access.ts';
import { createVertexEngine } from './vertex-engine.ts';

await shippedRoutes('vertex', {
  openFake: openFakeVertex,
  openEngine: (fake, { key, ...tools }) => createVertexEngine({ ...tools, ...vertexAccess(fake, key) }),
});
