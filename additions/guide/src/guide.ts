import type { Addition } from '@darkroom-service/darkroom/kernel';

/** Pages that explain the service to its users: the guide, the reference, and the packed clients. */
export const GUIDE: Addition = {
  name: 'guide',
  serves: 'docs',
  open: () => ({
    async http(kernel) {
      const { http } = kernel;
      const [
        { BUILT_DIRECTORY, findGuide },
        { guideRoutes },
        { markdownRoutes },
        { clientRoutes },
        { referenceRoutes },
        { PAGE_SECURITY_POLICY },
      ] = await Promise.all([
        import('./built-guide.ts'),
        import('./guide-routes.ts'),
        import('./markdown-routes.ts'),
        import('./client-routes.ts'),
        import('./reference-pages.ts'),
        import('./page-security-policy.ts'),
      ]);
      const guide = findGuide(BUILT_DIRECTORY);
      return {
        async open(app, _options, tools) {
          guideRoutes(app, kernel, tools, guide);
          markdownRoutes(app, kernel, tools, guide);
          clientRoutes(app, tools.takeTurn, {
            answers: http.answers,
            guide,
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
