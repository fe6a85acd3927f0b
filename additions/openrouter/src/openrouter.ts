import { OPENAI_SETTINGS } from '@darkroom-service/addition-openai/openai-settings';
import type { Addition } from '@darkroom-service/darkroom/kernel';

const ROOT = '/openrouter';

/** OpenRouter's interface: its shapes and errors, with the keys and orders of the service. */
export const OPENROUTER: Addition = {
  name: 'openrouter',
  pages: [{ name: 'openrouter', title: 'OpenRouter clients', behind: 'cli' }],
  open: (_kernel, closers) => ({
    async http(kernel) {
      const [{ openrouterRoutes }, { OPENROUTER_DIALECT }, { openCallRecords }] = await Promise.all([
        import('./routes/openrouter-routes.ts'),
        import('./mapping/openrouter-dialect.ts'),
        import('@darkroom-service/addition-openai/open-call-records'),
      ]);
      const openai = kernel.settings.of(OPENAI_SETTINGS);
      const records = await openCallRecords(kernel, closers);
      return {
        async mount(scope, { options, answers: { waits }, routes }) {
          const { maxBodyBytes } = options;
          const parts = { kernel, openai, dialect: OPENROUTER_DIALECT, ...records, waits, maxBodyBytes };
          await scope.register(openrouterRoutes(parts, options, routes), { prefix: OPENROUTER_DIALECT.root });
        },
        doors: { [`${ROOT}/api/v1/`]: {} },
        hintFor: (path) =>
          path.startsWith(`${ROOT}/`) && !path.startsWith(`${ROOT}/api/v1/`)
            ? 'The base URL of OpenRouter clients ends with /openrouter/api/v1.'
            : null,
      };
    },
  }),
};
