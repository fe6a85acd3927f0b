import type { Model } from '@darkroom-service/contract/catalog';
import { type Account, type OrderingKey, priceMultiplier } from '../accounts/api-key.ts';
import type { Tariff } from '../catalog/pricing/quote.ts';
import { installationMultiplier, timesExactly } from '../catalog/pricing/terms.ts';
import type { TaskServices } from '../tasks/task-services.ts';

type PricedModel = Pick<Model, 'model_id' | 'vendor'>;

/** Returns the tariff by which an order is priced. @param isKeyed whether it goes to the account's own upstream key */
export function tariffOf(
  services: Pick<TaskServices, 'settings'>,
  { account }: OrderingKey,
  model: PricedModel,
  isKeyed: boolean,
): Tariff {
  if (isKeyed) return { fee: services.settings.instanceFee };
  return { multiplier: multiplierFor(services, account, model) };
}

/**
 * Returns the multiplier of a model's catalog price: that of the installation times that of the account, exactly.
 * @param account null = no particular account
 */
export function multiplierFor(
  { settings }: Pick<TaskServices, 'settings'>,
  account: Account | null,
  model: PricedModel,
): string {
  const ours = installationMultiplier(settings.terms, model);
  return account === null ? ours : timesExactly(ours, priceMultiplier(account, model.model_id));
}
