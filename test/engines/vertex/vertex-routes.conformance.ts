import { createVertexEngine } from '@darkroom-service/engines/adapters';
import { openFakeVertex, vertexAccess } from '@darkroom-service/engines/fakes';
import { shippedRoutes } from '../../helpers/catalog-routes.ts';

await shippedRoutes('vertex', {
  openFake: openFakeVertex,
  openEngine: (fake, { key, ...tools }) => createVertexEngine({ ...tools, ...vertexAccess(fake, key) }),
});
