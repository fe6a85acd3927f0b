import type { Addition } from '@darkroom-service/darkroom/kernel';
import { isLoopback, isWildcard } from '@darkroom-service/media';

/** The web console under `/`. A first start shows a link that signs it in, where it can be reached on this machine. */
export const CONSOLE: Addition = {
  name: 'console',
  serves: 'console',
  open: () => ({
    async http(kernel) {
      const [{ consoleRoutes }, { createConsoleSessions }] = await Promise.all([
        import('./console-routes.ts'),
        import('./console-session.ts'),
      ]);
      const { accounts, clock, settings } = kernel;
      const sessions = createConsoleSessions({ now: () => clock.now() });
      if (isLoopback(settings.host) || isWildcard(settings.host))
        accounts.welcome((keys, address) => {
          const link = `${address}/#/sign-in/${sessions.offer(keys)}`;
          return `Open the console, signed in (once, within 15 minutes):\n\n  ${link}\n`;
        });
      return { open: (app) => consoleRoutes(app, kernel, sessions) };
    },
  }),
};
