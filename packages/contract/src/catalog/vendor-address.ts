import type { JsonObject, JsonValue } from '../json.ts';
import type { Schema } from './describe-schema.ts';

/**
 * Tells whether a field holds an address at a vendor. Catalog entries describe such a field by a pattern; media have
 * the format `uri` instead.
 */
export function isVendorAddress({ type, format, pattern }: Schema): boolean {
  return type === 'string' && format === undefined && pattern !== undefined && /^\^http/.test(pattern);
}

/** Tells whether a field holds addresses at a vendor, itself or in the objects of its list. */
export function holdsVendorAddress(schema: Schema): boolean {
  const inner = [...(schema.items === undefined ? [] : [schema.items]), ...Object.values(schema.properties ?? {})];
  return isVendorAddress(schema) || inner.some(holdsVendorAddress);
}

/** Returns the addresses at a vendor in the value of a field, by their paths, such as `loras[0].path`. */
export function vendorAddressesIn(schema: Schema, value: JsonValue | undefined, path: string): [string, string][] {
  if (typeof value === 'string') return isVendorAddress(schema) ? [[path, value]] : [];
  if (Array.isArray(value)) {
    const items: readonly JsonValue[] = value;
    return items.flatMap((item, index) => vendorAddressesIn(schema.items ?? {}, item, `${path}[${index}]`));
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) =>
    vendorAddressesIn(inner, (value as JsonObject)[name], `${path}.${name}`),
  );
}
