import { type Micros, parseMicros } from '@darkroom-service/contract/money';
import { ConfigFault } from '../../service/config/config-fault.ts';
import type { Environment } from '../../service/config/environment.ts';

/** The orders of `darkroom mcp` that share a budget. */
export interface ConversationSettings {
  /** Null: not given. */
  readonly id: string | null;
  /** Micro-dollars; null = no limit. */
  readonly budget: Micros | null;
}

/** Reads the conversation of `darkroom mcp`; an option comes before its variable. @throws ConfigFault */
export function loadConversation(
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
