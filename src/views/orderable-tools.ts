import type { Model } from '@darkroom-service/contract/catalog';
import type { OrderingKey } from '../accounts/api-key.ts';
import { type ToolSource, toolInput } from '../catalog/tool-models.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { isOrderable } from './orderable.ts';

/** Returns the tools for images or for videos that a key can order now, in the order of the catalog. */
export function orderableTools(
  services: Pick<TaskServices, 'catalog' | 'routing' | 'settings'>,
  key: OrderingKey,
  kind: ToolSource['kind'],
): readonly Model[] {
  const tools = services.catalog().tools.filter((tool) => toolInput(tool)?.kind === kind);
  if (tools.length === 0) return tools;
  const viewer = { key, rule: services.routing.ruleOf(key, {}) };
  return tools.filter((tool) => isOrderable(services, viewer, tool));
}
