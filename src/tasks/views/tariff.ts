import type { Model } from '@darkroom-service/contract/catalog/model';
import { type OrderingKey, priceMultiplier } from '../../accounts/api-key.ts';
import type { Tariff } from '../../catalog/pricing/quote.ts';
import type { TaskServices } from '../task-services.ts';

/** Returns what an order is priced by. @param isKeyed whether it goes to the account's own upstream key */
export function tariffOf(
  { settings }: Pick<TaskServices, 'settings'>,
  { account }: OrderingKey,
  model: Pick<Model, 'model_id'>,
  isKeyed: boolean,
): Tariff {
  return isKeyed ? { fee: settings.upstreamKeyFee } : { multiplier: priceMultiplier(account, model.model_id) };
}
