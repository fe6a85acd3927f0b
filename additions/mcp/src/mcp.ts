import type { Addition } from '@darkroom-service/darkroom/kernel';
import { addMcpCommand } from './mcp-command.ts';

/** The tools for agents, over HTTP and as a command. They reach the service only through `/v1`. */
export const MCP: Addition = {
  name: 'mcp',
  commands: addMcpCommand,
  pages: [{ name: 'mcp', title: 'Agents (MCP)', behind: 'webhooks' }],
  open: () => ({
    async http(kernel) {
      const { mcpRoutes } = await import('./endpoint/mcp-routes.ts');
      return {
        mount: (scope, { app, options }) => mcpRoutes(scope, app, kernel, options),
      };
    },
  }),
};
