import { openFakeOpenAi } from '@darkroom-service/engines/fakes/openai';
import { createOpenAiEngine } from '@darkroom-service/engines/openai/openai-engine';
import { shippedRoutes } from '../../catalog-routes.ts';

await shippedRoutes('openai', {
  openFake: openFakeOpenAi,
  openEngine: (fake, tools) => createOpenAiEngine({ ...tools, url: fake.url }),
});
