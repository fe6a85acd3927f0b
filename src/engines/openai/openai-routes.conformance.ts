import { shippedRoutes } from '../../../test/catalog-routes.ts';
import { openFakeOpenAi } from '../../../test/fakes/openai.ts';
import { createOpenAiEngine } from './openai-engine.ts';

await shippedRoutes('openai', {
  openFake: openFakeOpenAi,
  openEngine: (fake, tools) => createOpenAiEngine({ ...tools, url: fake.url }),
});
