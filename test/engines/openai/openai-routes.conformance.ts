import { createOpenAiBatchEngine, createOpenAiEngine } from '@darkroom-service/engines/adapters';
import { openFakeOpenAi } from '@darkroom-service/engines/fakes';
import { shippedRoutes } from '../../helpers/catalog-routes.ts';
import { judgedAtOnce } from '../../helpers/judged-at-once.ts';

await shippedRoutes('openai', {
  openFake: openFakeOpenAi,
  openEngine: (fake, tools) => createOpenAiEngine({ ...tools, url: fake.url }),
});

await shippedRoutes('openai-batch', {
  openFake: openFakeOpenAi,
  openEngine: (fake, tools) => judgedAtOnce(createOpenAiBatchEngine({ ...tools, url: fake.url })),
});
