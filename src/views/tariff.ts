import type { Model } from '@darkroom-service/contract/catalog';
import { type Account, type OrderingKey, priceMultiplier } from '../accounts/api-key.ts';
import type { Tariff } from '../catalog/pricing/tariff.ts';
import { installationMultiplier, timesExactly } from '../catalog/pricing/terms.ts';
import type { RouteRule } from '../record/route-filter.ts';
import type { TaskServices } from '../tasks/task-services.ts';

type PricedModel = Pick<Model, 'model_id' | 'vendor'>;

/**
 * Returns the tariff by which an order is priced.
 * @param isKeyed whether it goes to the account's own upstream key
 * @param rule the rule about its routes; null = none
 */
export function tariffOf(
  services: Pick<TaskServices, 'routing' | 'settings'>,
  { account }: OrderingKey,
  model: Model,
  isKeyed: boolean,
  rule: RouteRule | null,
): Tariff {
  return isKeyed ? { fee: services.settings.instanceFee } : priceTariff(services, account, model, rule);
}

/**
 * Returns the tariff of a model's orders without an upstream key of their account.
 * @param account null = no particular account
 * @param rule the rule about their routes; null = none
 */
export function priceTariff(
  services: Pick<TaskServices, 'routing' | 'settings'>,
  account: Account | null,
  model: Model,
  rule: RouteRule | null,
): Exclude<Tariff, { readonly fee: unknown }> {
  const share = account === null ? '1' : priceMultiplier(account, model.model_id);
  return { multiplier: multiplierFor(services, account, model), floor: services.routing.floor(model, share, rule) };
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
