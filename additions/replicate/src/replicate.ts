import type { Addition } from '@darkroom-service/darkroom/kernel';

/** The interface for Replicate's clients: its predictions and files, with the keys and orders of the service. */
export const REPLICATE: Addition = {
  name: 'replicate',
  pages: [{ name: 'replicate', title: 'Replicate clients', behind: 'openai' }],
  open: (_kernel, closers) => ({
    async http(kernel) {
      const [{ replicateRoutes }, { openCallRecords }] = await Promise.all([
        import('./replicate-routes.ts'),
        import('@darkroom-service/addition-openai/open-call-records'),
      ]);
      const records = await openCallRecords(kernel, closers);
      return {
        async mount(scope, { app, options, answers: { waits }, routes }) {
          const parts = { kernel, ...records, app, waits, maxBodyBytes: options.maxBodyBytes };
          await scope.register(replicateRoutes(parts, options, routes), { prefix: '/replicate/v1' });
        },
        doors: { '/replicate/v1/': {} },
        hintFor: (path) =>
          /^\/replicate(?!\/v1\/)/.test(path) || /^(?:\/v1)?\/(?:models\/.+\/)?predictions/.test(path)
            ? 'The base URL of Replicate clients ends with /replicate/v1 for JavaScript, and with /replicate for Python.'
            : null,
      };
    },
  }),
};
