import { shippedRoutes } from '../../../test/catalog-routes.ts';
import { AZURE_DEPLOYMENTS, openFakeAzureOpenAi } from '../../../test/fakes/azure-openai.ts';
import { createAzureOpenAiEngine } from './azure-openai-engine.ts';

await shippedRoutes('azure-openai', {
  openFake: openFakeAzureOpenAi,
  openEngine: (fake, tools) =>
    createAzureOpenAiEngine({
      ...tools,
      url: fake.url,
      apiVersion: '2025-04-01-preview',
      deployments: AZURE_DEPLOYMENTS,
    }),
});
