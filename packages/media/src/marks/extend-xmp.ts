import { descriptionOf, NAMESPACES, SOURCE_TYPES } from './mark.ts';
import { readXmp } from './xmp-packet.ts';

const SOURCE_TYPE = `${NAMESPACES.Iptc4xmpExt} DigitalSourceType`;
/** The source types for files that a machine made, in whole or in part. */
const OF_MACHINES = [
  'algorithmicMedia',
  'trainedAlgorithmicMedia',
  'compositeWithTrainedAlgorithmicMedia',
  'compositeSynthetic',
];

/**
 * Returns the insertion, with its position, that adds a mark to an existing XMP packet. All existing fields stay.
 * @param xmp a packet of `xmpOf`
 * @returns null if the existing packet already says that a machine made the file
 * @throws RangeError if the packet cannot be extended, or states another source type
 */
export function additionTo(
  other: Uint8Array,
  xmp: Uint8Array,
): { readonly at: number; readonly bytes: Uint8Array } | null {
  const { properties, end, about } = readXmp(other);
  const stated = properties.get(SOURCE_TYPE);
  if (stated?.some(isOfMachine) === true) return null;
  if (stated !== undefined)
    throw new RangeError(`its XMP states another source type, which stays: '${stated[0]?.slice(0, 100)}'`);
  const fields = Buffer.from(xmp)
    .toString()
    .split('\n')
    .filter((line) => {
      const [, prefix = '', name] = /^<(\w+):(\w+)>/.exec(line) ?? [];
      const namespace = (NAMESPACES as Readonly<Record<string, string>>)[prefix];
      return namespace !== undefined && !properties.has(`${namespace} ${name}`);
    });
  return { at: end, bytes: Buffer.from(descriptionOf(fields, about)) };
}

/** Tells whether an IPTC digital source type means that a machine made the file, or a part of it. */
export function isOfMachine(sourceType: string): boolean {
  const [scheme, value] = sourceType.trim().split(SOURCE_TYPES.slice('http'.length), 2);
  return (scheme === 'http' || scheme === 'https') && OF_MACHINES.includes(value ?? '');
}
