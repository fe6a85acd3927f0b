/** A file's mark: the origin of the file. */
export interface Mark {
  /** The last part of an IPTC digital source type. */
  readonly source:
    | 'algorithmicMedia'
    | 'trainedAlgorithmicMedia'
    | 'compositeWithTrainedAlgorithmicMedia'
    | 'compositeSynthetic';
  /** Name and version of the program that delivers the file. */
  readonly generator: string;
  readonly model: string;
  readonly taskId: string;
  readonly createdAt: Date;
  /** The prompt; null = not written. */
  readonly prompt: string | null;
  readonly isTest: boolean;
}

/** The beginning of the address of each source type. */
export const SOURCE_TYPES = 'http://cv.iptc.org/newscodes/digitalsourcetype/';
export const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
/** XML namespaces of the fields of a mark, by prefix. */
export const NAMESPACES = {
  dc: 'http://purl.org/dc/elements/1.1/',
  xmp: 'http://ns.adobe.com/xap/1.0/',
  Iptc4xmpExt: 'http://iptc.org/std/Iptc4xmpExt/2008-02-29/',
} as const;
/** A JPEG segment holds 65,502 bytes of XMP, and escaping turns a character into up to five bytes. */
const MOST_PROMPT_CHARACTERS = 12_000;
/** Half of a character outside the Basic Multilingual Plane, which a cut may leave. */
const HALF_AT_END = /[\uD800-\uDBFF]$/;
const NOT_IN_XML = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/**
 * Returns a mark as an XMP packet: the digital source type and AI fields of IPTC, the tool, task id and time. A long
 * prompt is cut off. The same mark always gives the same bytes.
 */
export function xmpOf(mark: Mark): Uint8Array {
  const fields = [
    `<Iptc4xmpExt:DigitalSourceType>${SOURCE_TYPES}${mark.source}</Iptc4xmpExt:DigitalSourceType>`,
    `<Iptc4xmpExt:AISystemUsed>${escapeXml(mark.model)}</Iptc4xmpExt:AISystemUsed>`,
    `<xmp:CreatorTool>${escapeXml(mark.generator)}</xmp:CreatorTool>`,
    `<xmp:CreateDate>${mark.createdAt.toISOString()}</xmp:CreateDate>`,
    `<dc:identifier>${escapeXml(mark.taskId)}</dc:identifier>`,
  ];
  if (mark.prompt !== null) {
    const prompt = escapeXml(mark.prompt.slice(0, MOST_PROMPT_CHARACTERS).replace(HALF_AT_END, ''));
    fields.push(`<Iptc4xmpExt:AIPromptInformation>${prompt}</Iptc4xmpExt:AIPromptInformation>`);
  }
  if (mark.isTest) fields.push('<xmp:Label>Test output</xmp:Label>');
  return Buffer.from(
    [
      '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>',
      `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="${RDF}">`,
      descriptionOf(fields, '""'),
      '</rdf:RDF></x:xmpmeta>',
      '<?xpacket end="r"?>',
    ].join('\n'),
  );
}

/** Returns fields as an RDF node. @param about the packet's name of the described file, with quotes */
export function descriptionOf(fields: readonly string[], about: string): string {
  return [
    `<rdf:Description rdf:about=${about} xmlns:rdf="${RDF}"`,
    ...Object.entries(NAMESPACES).map(([prefix, namespace]) => `xmlns:${prefix}="${namespace}"`),
    '>',
    ...fields,
    '</rdf:Description>',
  ].join('\n');
}

function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(NOT_IN_XML, ' ')
    .replace(/[\r\n]+/g, '&#10;')
    .replace(/&(?!#10;)/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
