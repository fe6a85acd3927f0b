import type { EndUserView } from '@darkroom-service/contract/end-user';
import { type Micros, parseMicros } from '@darkroom-service/contract/money';
import { callForData } from './call-api.ts';
import type { ToolContext } from './tool-context.ts';

/**
 * Returns what the orders of the conversation cost: charged if they succeeded, held while they run, nothing otherwise.
 * The orders of a batch count from its creation, before their tasks exist.
 */
export async function spentInConversation({ call, conversation }: ToolContext): Promise<Micros> {
  const path = `/v1/end_users/${encodeURIComponent(conversation.id ?? '')}`;
  const { windows } = await callForData<EndUserView>(call, { method: 'GET', path });
  return (parseMicros(windows.total.charged) ?? 0) + (parseMicros(windows.total.held) ?? 0);
}
