import { createDashscopeEngine } from '@darkroom-service/engines/adapters';
import { openFakeDashscope } from '@darkroom-service/engines/fakes';
import { shippedRoutes } from '../../helpers/catalog-routes.ts';

await shippedRoutes('dashscope', {
  openFake: openFakeDashscope,
  openEngine: (fake, tools) => createDashscopeEngine({ ...tools, url: fake.url }),
  unsaid: {
    'wan2.7-image-pro': 'the call and the fields of its asynchronous form are not certain',
    'z-image-turbo': 'the fields of its call are not certain',
  },
});
