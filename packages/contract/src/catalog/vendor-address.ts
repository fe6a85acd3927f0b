import type { Schema } from './describe-schema.ts';

/**
 * Tells whether a field holds an address at a vendor. Catalog entries describe such a field by a pattern; media have
 * the format `uri` instead.
 */
export function isVendorAddress({ type, format, pattern }: Schema): boolean {
  return type === 'string' && format === undefined && pattern !== undefined && /^\^http/.test(pattern);
}
