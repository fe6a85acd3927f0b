import type { Addition } from '@darkroom-service/darkroom/kernel';

/** Pages that explain the service to its users: the guide, the reference, and the packed clients. */
export const GUIDE: Addition = {
  name: 'guide',
  serves: 'docs',
  open: () => ({
    async http(kernel) {
      const { http } = kernel;
      const [{ guideRoutes }, { markdownRoutes }, { clientRoutes }, { referenceRoutes }, { PAGE_SECURITY_POLICY }] =
        await Promise.all([
          import('./guide-routes.ts'),
          import('./markdown-routes.ts'),
          import('./client-routes.ts'),
          import('./reference-pages.ts'),
          import('./page-security-policy.ts'),
        ]);
      return {
        async open(app, _options, tools) {
          guideRoutes(app, kernel, tools);
          markdownRoutes(app, kernel, tools);
          clientRoutes(app, tools.takeTurn, {
            answers: http.answers,
            publicUrlFor: (request) => http.linked(request).settings.publicUrl,
          });
          await app.register(async (pages) => {
            pages.addHook('onSend', async (_request, reply, payload) => {
              reply.header('content-security-policy', PAGE_SECURITY_POLICY);
              return payload;
            });
            referenceRoutes(pages, http.answers, tools.takeTurn);
          });
        },
      };
    },
  }),
};
