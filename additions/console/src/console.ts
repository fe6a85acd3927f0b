import type { Addition } from '@darkroom-service/darkroom/kernel';
import { isLoopback, isWildcard } from '@darkroom-service/media';

/** The web console under `/`. A first start shows a link that signs it in, where it can be reached on this machine. */
export const CONSOLE: Addition = {
  name: 'console',
  serves: 'console',
  async http({ config: { host }, services, welcomes }) {
    const [{ consoleRoutes }, { createConsoleSessions }] = await Promise.all([
      import('./console-routes.ts'),
      import('./console-session.ts'),
    ]);
    const sessions = createConsoleSessions({ now: () => services.clock.now() });
    if (isLoopback(host) || isWildcard(host))
      welcomes.add((keys, address) => {
        const link = `${address}/#/sign-in/${sessions.offer(keys)}`;
        return `Open the console, signed in (once, within 15 minutes):\n\n  ${link}\n`;
      });
    return { open: (open, options) => consoleRoutes(open, options, sessions) };
  },
};
