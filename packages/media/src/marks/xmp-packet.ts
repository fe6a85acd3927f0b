import { RDF } from './mark.ts';

/** Maximum tags and attributes of a packet; those that programs write have a few hundred. */
const MOST_PARTS = 10_000;
const MOST_LEVELS = 64;

const NAME = /[^\s/>=<"']+/y;
const ATTRIBUTE = /\s+([^\s/>=<"']+)\s*=\s*("[^"<]*"|'[^'<]*')/y;
const TAG_END = /\s*(\/?)>/y;
/** Beginnings of parts without tags, each with its end. */
const OPAQUE = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The statements of an XMP packet, and the place where it can be extended. */
export interface XmpPacket {
  /** The values of each property of the described file, by `namespace name`; structures have none. */
  readonly properties: ReadonlyMap<string, readonly string[]>;
  /** Offset of the end tag of `rdf:RDF`, in bytes. */
  readonly end: number;
  /** Name of the described file in the packet: the attribute's value, with its quotes. */
  readonly about: string;
}

interface Level {
  /** `namespace name` */
  readonly name: string;
  readonly tag: string;
  readonly namespaces: ReadonlyMap<string, string>;
}

/**
 * Reads an XMP packet in UTF-8: tags, attributes and namespaces, whatever their prefixes; comments, sections and
 * processing instructions contain none.
 * @throws RangeError if it is no such packet, or has over 10,000 tags and attributes
 */
export function readXmp(packet: Uint8Array): XmpPacket {
  // One character per byte, so that positions are offsets.
  const text = Buffer.from(packet.buffer, packet.byteOffset, packet.byteLength).toString('latin1');
  const levels: Level[] = [];
  const properties = new Map<string, string[]>();
  let about: string | null = null;
  /** Number of elements around the contents of `rdf:RDF`; 0 before it. */
  let depth = 0;
  let parts = 0;

  const count = () => {
    if (++parts > MOST_PARTS) throw new RangeError(`its XMP has over ${MOST_PARTS} tags and attributes`);
  };
  const state = (name: string, value: string) => {
    const values = properties.get(name);
    if (values === undefined) properties.set(name, [value]);
    else values.push(value);
  };
  /** Adds text to the current property. */
  const addText = (value: string) => {
    const property = depth === 0 ? undefined : levels[depth + 1];
    const values = property === undefined ? undefined : properties.get(property.name);
    if (values !== undefined) values[values.length - 1] += value;
  };

  for (let at = 0; ; ) {
    const next = text.indexOf('<', at);
    if (next === -1) throw malformed();
    addText(decodeEntities(text.slice(at, next)));
    const opaque = OPAQUE.find(([begin]) => text.startsWith(begin, next));
    if (opaque !== undefined) {
      count();
      const [begin, end] = opaque;
      const to = text.indexOf(end, next + begin.length);
      if (to === -1) throw malformed();
      if (begin === '<![CDATA[') addText(text.slice(next + begin.length, to));
      at = to + end.length;
      continue;
    }
    count();
    if (text[next + 1] === '/') {
      const level = levels.pop();
      const tag = match(NAME, text, next + 2);
      if (level === undefined || tag[0] !== level.tag) throw malformed();
      if (depth > 0 && levels.length === depth - 1)
        return { properties, end: next, about: Buffer.from(about ?? '""', 'latin1').toString() };
      at = next + 2 + tag[0].length + match(TAG_END, text, next + 2 + tag[0].length)[0].length;
      continue;
    }
    const [tag] = match(NAME, text, next + 1);
    if (tag.startsWith('!')) throw new RangeError('its XMP has a document type');
    at = next + 1 + tag.length;
    const attributes: [name: string, value: string][] = [];
    for (let found = attributeAt(text, at); found !== null; found = attributeAt(text, at)) {
      count();
      const [all, name = '', value = ''] = found;
      attributes.push([name, value]);
      at += all.length;
    }
    const tail = match(TAG_END, text, at);
    at += tail[0].length;
    const namespaces = withDeclared(levels.at(-1)?.namespaces ?? new Map(), attributes);
    const name = resolve(tag, namespaces, namespaces.get(''));
    if (depth === 0 && name === `${RDF} RDF`) depth = levels.length + 1;
    else if (depth > 0 && levels.length === depth) {
      // The described file.
      for (const [attribute, value] of attributes) {
        const resolved = resolve(attribute, namespaces, '');
        if (resolved === `${RDF} about` || resolved === ' about') about ??= value;
        else if (!/^xmlns\b|^xml:/.test(attribute) && !resolved.startsWith(`${RDF} `))
          state(resolved, decodeEntities(value.slice(1, -1)));
      }
    } else if (depth > 0 && levels.length === depth + 1) {
      const resource = attributes.find(([attribute]) => resolve(attribute, namespaces, '') === `${RDF} resource`);
      state(name, resource === undefined ? '' : decodeEntities(resource[1].slice(1, -1)));
    }
    if (tail[1] === '/') {
      if (levels.length === depth - 1) throw new RangeError('its XMP is empty');
      continue;
    }
    if (levels.length === MOST_LEVELS) throw new RangeError(`its XMP has over ${MOST_LEVELS} levels`);
    levels.push({ name, tag, namespaces });
  }
}

function attributeAt(text: string, at: number): RegExpExecArray | null {
  ATTRIBUTE.lastIndex = at;
  return ATTRIBUTE.exec(text);
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  if (found === null) throw malformed();
  return found;
}

/** Returns the namespaces with those that a tag declares; the default one has an empty prefix. */
function withDeclared(
  outer: ReadonlyMap<string, string>,
  attributes: readonly (readonly [name: string, value: string])[],
): ReadonlyMap<string, string> {
  const declared = attributes.filter(([name]) => name === 'xmlns' || name.startsWith('xmlns:'));
  if (declared.length === 0) return outer;
  const all = new Map(outer);
  for (const [name, value] of declared) all.set(name.slice('xmlns:'.length), decodeEntities(value.slice(1, -1)));
  if (all.size > MOST_LEVELS) throw new RangeError(`its XMP has over ${MOST_LEVELS} namespaces`);
  return all;
}

/** Resolves a name's prefix. @param otherwise the namespace of a name without a prefix */
function resolve(name: string, namespaces: ReadonlyMap<string, string>, otherwise = ''): string {
  const colon = name.indexOf(':');
  if (colon === -1) return `${otherwise} ${name}`;
  return `${namespaces.get(name.slice(0, colon)) ?? ''} ${name.slice(colon + 1)}`;
}

function decodeEntities(value: string): string {
  return value.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{1,6}));/gi, (all, hex, decimal, name) => {
    if (name !== undefined) return ENTITIES[name] ?? all;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}

function malformed(): RangeError {
  return new RangeError('its XMP is malformed');
}
