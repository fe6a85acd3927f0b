import { openFakeVertex } from '@darkroom-service/engines/fakes/vertex';
import { vertexAccess } from '@darkroom-service/engines/fakes/vertex-access';
import { createVertexEngine } from '@darkroom-service/engines/vertex/vertex-engine';
import { shippedRoutes } from '../../catalog-routes.ts';

await shippedRoutes('vertex', {
  openFake: openFakeVertex,
  openEngine: (fake, { key, ...tools }) => createVertexEngine({ ...tools, ...vertexAccess(fake, key) }),
});
