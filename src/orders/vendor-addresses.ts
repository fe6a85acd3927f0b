import type { Fault } from '../base/errors.ts';
import type { Schema } from '../catalog/describe-schema.ts';
import type { Model, ResolvedRequest } from '../catalog/model.ts';
import { isVendorAddress } from '../catalog/vendor-address.ts';
import { judgeUrl } from '../net/address-rules.ts';

/** By model, since a catalog does not change. */
const addressParameters = new WeakMap<Model, readonly string[]>();

/**
 * Checks the addresses that a request hands on for the vendor to read, such as the page a film is made from. They obey the same rules as
 * the media that this service fetches: what is private here may be private at the vendor too.
 */
export function faultsOfVendorAddresses(
  model: Model,
  values: ResolvedRequest['values'],
  allowedAddresses: readonly string[],
): Fault[] {
  return addressParametersOf(model).flatMap((param) => {
    const value = values[param];
    if (typeof value !== 'string') return [];
    const verdict = judgeUrl(value, allowedAddresses);
    if (verdict.ok) return [];
    return [{ param, code: 'invalid_reference' as const, message: `${param}: ${verdict.message}.` }];
  });
}

function addressParametersOf(model: Model): readonly string[] {
  const known = addressParameters.get(model);
  if (known !== undefined) return known;
  const found = Object.entries(model.parameters).flatMap(([param, parameter]) =>
    isVendorAddress(parameter as Schema) ? [param] : [],
  );
  addressParameters.set(model, found);
  return found;
}
