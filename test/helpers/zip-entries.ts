/** What is in a ZIP archive without compression. */

interface Entry {
  readonly name: string;
  readonly size: number;
  readonly offset: number;
}

/** The directory at the end of a ZIP archive. */
export function entriesOf(archive: Buffer): Entry[] {
  const entries: Entry[] = [];
  const head = Buffer.from([0x50, 0x4b, 1, 2]);
  for (let at = archive.indexOf(head); at >= 0; at = archive.indexOf(head, at + 46))
    entries.push({
      name: archive.toString('utf8', at + 46, at + 46 + archive.readUInt16LE(at + 28)),
      size: archive.readUInt32LE(at + 24),
      offset: archive.readUInt32LE(at + 42),
    });
  return entries;
}

/** The JSON lines of a file in an archive, which is not compressed; none if it is not there. */
export function linesOf<Row>(archive: Buffer, name: string): Row[] {
  const entry = entriesOf(archive).find((one) => one.name === name);
  if (entry === undefined) return [];
  const begin = entry.offset + 30 + archive.readUInt16LE(entry.offset + 26) + archive.readUInt16LE(entry.offset + 28);
  const text = archive.toString('utf8', begin, begin + entry.size);
  return name.endsWith('.json')
    ? [JSON.parse(text)]
    : text
        .trimEnd()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
}
