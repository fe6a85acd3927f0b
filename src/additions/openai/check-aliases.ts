import { didYouMean, nearestName } from '../../base/nearest-name.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { Config } from '../../service/config/config.ts';
import { ConfigFault } from '../../service/config/config-fault.ts';

/**
 * Verifies that the operator's aliases lead to models of the catalog.
 * @throws ConfigFault with every alias that does not
 */
export function checkAliases({ openai }: Pick<Config, 'openai'>, catalog: Catalog): void {
  const unknown = openai.aliases.filter(({ modelId }) => catalog.find(modelId) === null);
  if (unknown.length === 0) return;
  const known = catalog.models.map((model) => model.model_id);
  throw new ConfigFault(
    unknown.map(({ name, modelId }) => ({
      variable: 'DARKROOM_OPENAI_MOUNT_ALIASES',
      message: `${name} leads to ${modelId}, which is no model of the catalog.${didYouMean(nearestName(modelId, known))}`,
    })),
  );
}
