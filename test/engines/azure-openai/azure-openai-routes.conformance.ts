import { createAzureOpenAiEngine } from '@darkroom-service/engines/azure-openai/azure-openai-engine';
import { AZURE_DEPLOYMENTS, openFakeAzureOpenAi } from '@darkroom-service/engines/fakes/azure-openai';
import { shippedRoutes } from '../../catalog-routes.ts';

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
