import type { Fault } from '../base/errors.ts';
import { compileModel } from '../catalog/compiled-model.ts';
import type { Model, ResolvedRequest } from '../catalog/model.ts';
import { judgeUrl } from '../net/address-rules.ts';

/**
 * Checks the addresses that a request hands on for the vendor to read, such as the page a film is made from. They obey
 * the same rules as the media that this service fetches: what is private here may be private at the vendor too.
 */
export function faultsOfVendorAddresses(
  model: Model,
  values: ResolvedRequest['values'],
  allowedAddresses: readonly string[],
): Fault[] {
  return compileModel(model).vendorAddresses.flatMap((param) => {
    const value = values[param];
    if (typeof value !== 'string') return [];
    const verdict = judgeUrl(value, allowedAddresses);
    if (verdict.ok) return [];
    return [{ param, code: 'invalid_reference' as const, message: `${param}: ${verdict.message}.` }];
  });
}
