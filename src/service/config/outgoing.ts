import { VERSION } from '../../base/process.ts';
import type { VariableValues } from './config-variables.ts';

/** Returns the settings of every outgoing request, as `createTrustedFetch` expects them. */
export function outgoingOf(values: Pick<VariableValues, 'DARKROOM_ALLOWED_ADDRESSES' | 'DARKROOM_PUBLIC_URL'>) {
  const { DARKROOM_ALLOWED_ADDRESSES: allowedAddresses, DARKROOM_PUBLIC_URL: publicUrl } = values;
  const name = `Darkroom/${VERSION}`;
  return {
    allowedAddresses,
    /** Some hosts refuse clients that do not name a version and an address. */
    userAgent: publicUrl === undefined ? name : `${name} (+${new URL(publicUrl).href})`,
  };
}
