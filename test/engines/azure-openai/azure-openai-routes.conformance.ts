import { createAzureOpenAiEngine } from '@darkroom-service/engines/adapters';
import { AZURE_DEPLOYMENTS, openFakeAzureOpenAi } from '@darkroom-service/engines/fakes';
import { shippedRoutes } from '../../helpers/catalog-routes.ts';

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
