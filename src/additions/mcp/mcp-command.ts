import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { OWN_COMMAND } from '../../base/own-command.ts';
import { CommandFault } from '../../cli/command-fault.ts';
import { loadClientSettings } from '../../service/config/client-settings.ts';
import { readEnvironment } from '../../service/config/environment.ts';
import { callOverHttp } from './call-over-http.ts';
import { type ConversationSettings, loadConversation } from './conversation-settings.ts';

/** Adds `darkroom mcp`: the tools for agents, over standard input and output. */
export function addMcpCommand(program: Command): void {
  program
    .command('mcp')
    .description('serve the tools for agents (MCP) over standard input and output')
    .option('--budget <dollars>', 'the most that one conversation may cost (default: DARKROOM_MCP_BUDGET)')
    .option('--conversation <id>', 'the conversation that its orders count for (default: one per process)')
    .action(async (options: { readonly budget?: string; readonly conversation?: string }) => {
      const environment = readEnvironment();
      const settings = loadClientSettings(environment);
      if (settings.apiKey === null) {
        throw new CommandFault(
          `DARKROOM_API_KEY is not set. A key for trying things out: ${OWN_COMMAND} keys create --mode test --plain`,
        );
      }
      const call = callOverHttp(settings);
      await serve(call, withId(loadConversation(environment, options)));
    });
}

/** A budget needs orders to count. A process is one conversation unless its host says otherwise. */
function withId({ id, budget }: ConversationSettings): ConversationSettings {
  return { id: id ?? (budget === null ? null : `mcp-${randomUUID()}`), budget };
}

/** Serves until standard input ends. The packages are loaded here, so that no other command waits for them. */
async function serve(call: ReturnType<typeof callOverHttp>, conversation: ConversationSettings): Promise<void> {
  const [{ serveStdio }, { createApprovals }, { createMcpServer }] = await Promise.all([
    import('@modelcontextprotocol/server/stdio'),
    import('./approval.ts'),
    import('./mcp-server.ts'),
  ]);
  // Whoever answers a question talks to this very process.
  const approvals = createApprovals(randomUUID() + randomUUID());
  serveStdio(() => createMcpServer({ call, owner: 'stdio', approvals, conversation }));
}
