import { UnreachableFault, unreachable } from '@darkroom-service/addition-common/commands/client-faults';
import {
  createAuthorizedFetch,
  readLogin,
  type SavedLogin,
} from '@darkroom-service/addition-common/commands/saved-login';
import { type Micros, parseMicros, world } from '@darkroom-service/contract';
import { ConfigFault } from '@darkroom-service/darkroom/kernel';
import {
  type ClientSettings,
  CommandFault,
  type Environment,
  loadClientSettings,
  OWN_COMMAND,
  readEnvironment,
} from '@darkroom-service/darkroom/kernel-cli';
import type { Command } from 'commander';
import { type CallApi, Refusal } from './call-api.ts';

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
      const login = settings.apiKey === null ? readLogin(settings.url) : null;
      if (settings.apiKey === null && login === null) {
        throw new CommandFault(
          `DARKROOM_API_KEY is not set. A key for trying things out: ${OWN_COMMAND} keys create --mode test --plain\nOr sign in with your work account: ${OWN_COMMAND} login`,
        );
      }
      const call = callOverHttp(settings, login);
      await serve(call, withId(loadConversation(environment, options)));
    });
}

/**
 * Adds an id to a conversation with a budget, which needs orders to count. A process is one conversation unless its
 * host says otherwise.
 */
function withId({ id, budget }: ConversationSettings): ConversationSettings {
  return { id: id ?? (budget === null ? null : `mcp-${world.randomUUID()}`), budget };
}

/** Serves until standard input ends. The packages are loaded here, so that other commands do not load them. */
async function serve(call: ReturnType<typeof callOverHttp>, conversation: ConversationSettings): Promise<void> {
  const [{ serveStdio }, { createApprovals }, { createMcpServer }] = await Promise.all([
    import('@modelcontextprotocol/server/stdio'),
    import('./approval.ts'),
    import('./mcp-server.ts'),
  ]);
  // The client that answers a question talks to this very process.
  const approvals = createApprovals(world.randomUUID() + world.randomUUID());
  serveStdio(() => createMcpServer({ call, owner: 'stdio', approvals, conversation }));
}

/** Calls a running service for the tools of `darkroom mcp`. */
function callOverHttp(settings: ClientSettings, login: SavedLogin | null): CallApi {
  const { url } = settings;
  const send = createAuthorizedFetch(settings, login);
  return async ({ method, path, body, headers = {}, signal }) => {
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    try {
      const answer = await send(path, {
        method,
        headers: { ...headers, ...json },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(signal === undefined ? {} : { signal }),
      });
      const bytes = new Uint8Array(await answer.arrayBuffer());
      return { status: answer.status, header: (name) => answer.headers.get(name), bytes };
    } catch (error) {
      signal?.throwIfAborted();
      const fault = error instanceof CommandFault ? error : unreachable(url, error);
      // The login has ended, or its person has no role any more.
      if (!(fault instanceof UnreachableFault))
        throw new Refusal({ code: 'expired_api_key', message: fault.message }, fault);
      const advice = fault.refused ? '' : '. Repeat the call with the same arguments: it orders nothing twice.';
      throw new Refusal({ code: 'unreachable', message: fault.message + advice, retryable: true }, fault);
    }
  };
}

/** The orders of `darkroom mcp` that share a budget. */
interface ConversationSettings {
  /** Id of the conversation. Null: not given. */
  readonly id: string | null;
  /** Budget in micro-dollars; null = no limit. */
  readonly budget: Micros | null;
}

/** Reads the conversation of `darkroom mcp`; an option takes precedence over its variable. @throws ConfigFault */
function loadConversation(
  environment: Environment,
  options: { readonly budget?: string; readonly conversation?: string },
): ConversationSettings {
  const id = (options.conversation ?? environment.DARKROOM_MCP_CONVERSATION)?.trim() || null;
  const amount = (options.budget ?? environment.DARKROOM_MCP_BUDGET)?.trim() || null;
  const budget = amount === null ? null : parseMicros(amount);
  const faults: { variable: string; message: string }[] = [];
  if (id !== null && !/^[\x21-\x7e]{1,128}$/.test(id)) {
    const message = 'expected 1 to 128 printable ASCII characters without spaces';
    faults.push({ variable: 'DARKROOM_MCP_CONVERSATION', message });
  }
  if (amount !== null && (budget === null || budget < 0)) {
    const message = `expected an amount of US dollars such as 5.00, found ${JSON.stringify(amount)}`;
    faults.push({ variable: 'DARKROOM_MCP_BUDGET', message });
  }
  if (faults.length > 0) throw new ConfigFault(faults);
  return { id, budget };
}
