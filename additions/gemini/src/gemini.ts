import { OPENAI_SETTINGS } from '@darkroom-service/addition-openai/openai-settings';
import type { Addition } from '@darkroom-service/darkroom/kernel';

/** The interface of Google's Gemini API: its methods, shapes and errors, with the keys and orders of the service. */
export const GEMINI: Addition = {
  name: 'gemini',
  pages: [{ name: 'gemini', title: 'Gemini clients', behind: 'openai' }],
  open: (_kernel, closers) => ({
    async http(kernel) {
      const [{ geminiRoutes }, { openHold }, { openCallRecords }] = await Promise.all([
        import('./routes/gemini-routes.ts'),
        import('./routes/hold-call.ts'),
        import('@darkroom-service/addition-openai/open-call-records'),
      ]);
      const settings = kernel.settings.of(OPENAI_SETTINGS);
      const records = await openCallRecords(kernel, closers);
      return {
        async mount(scope, { options, answers: { waits }, routes }) {
          const parts = { kernel, settings, ...records, waits };
          const hold = openHold(parts);
          await scope.register(geminiRoutes({ ...parts, hold }, options, routes), { prefix: '/gemini' });
        },
        doors: { '/gemini/': { header: 'x-goog-api-key', parameter: 'key' } },
        hintFor: (path) =>
          /:(?:generateContent|streamGenerateContent|predict|predictLongRunning)$/.test(path) &&
          !path.startsWith('/gemini/')
            ? 'The base URL of Gemini clients ends with /gemini.'
            : null,
      };
    },
  }),
};
