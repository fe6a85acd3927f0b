import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const LICENCE = /^(licen[cs]e|notice|copying)/i;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

/** Lists the packages whose code the bundles hold, with their versions and the texts of their licences. */
export function writeNotices(packages: readonly string[], path: string): void {
  const found = packages.map((directory) => ({
    ...(JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Manifest),
    texts: readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isFile() && LICENCE.test(entry.name))
      .map(({ name }) => readFileSync(join(directory, name), 'utf8').trim()),
  }));
  const without = found.filter(({ license, texts }) => license === undefined && texts.length === 0);
  if (without.length > 0) throw new Error(`packages without a licence: ${without.map(({ name }) => name).join(', ')}`);
  const parts = found.map(
    ({ name, version, license, texts }) =>
      `## ${name} ${version}\n\nLicence: ${license ?? 'see below'}\n${texts.map((text) => `\n\`\`\`\n${text}\n\`\`\`\n`).join('')}`,
  );
  const head = '# Packages in the bundles\n\nThe code of these packages is in the files of this directory.\n';
  writeFileSync(path, `${[head, ...parts].join('\n')}`);
}
