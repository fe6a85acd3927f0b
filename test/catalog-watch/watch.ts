import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadCatalog } from '../../src/catalog/catalog.ts';
import { temporaryDirectory } from '../helpers/temporary-directory.ts';
import { readComfyPages } from './comfy-pages.ts';
import { readDecisions } from './decisions.ts';
import { findDifferences } from './find-differences.ts';
import { readGivenList } from './given-list.ts';
import {
  readComfyTemplates,
  readGatewayTypes,
  readGoogleTypes,
  readOpenaiTypes,
  readRunwayTypes,
} from './model-lists.ts';
import type { Offer } from './offer.ts';
import { fetchPackage, findPackage, type Package, type PackageName } from './packages.ts';
import { readPriceFile } from './price-file.ts';
import { printReport } from './report.ts';

interface Source extends PackageName {
  read(found: Package): Promise<readonly Offer[]>;
}

const TYPES = ['.d.ts'];
const SOURCES: readonly Source[] = [
  {
    client: 'pip',
    name: 'litellm',
    files: ['litellm/model_prices_and_context_window_backup.json'],
    read: readPriceFile,
  },
  { client: 'npm', name: '@ai-sdk/gateway', files: TYPES, read: readGatewayTypes },
  { client: 'npm', name: 'openai', files: TYPES, read: readOpenaiTypes },
  { client: 'npm', name: '@google/genai', files: TYPES, read: readGoogleTypes },
  { client: 'npm', name: '@runwayml/sdk', files: TYPES, read: readRunwayTypes },
  { client: 'pip', name: 'comfyui-embedded-docs', files: ['/en.md'], read: readComfyPages },
  { client: 'pip', name: 'comfyui-workflow-templates-json', files: ['templates/index.json'], read: readComfyTemplates },
];
const ROOT = join(import.meta.dirname, '..', '..');
const UNDECIDED = 1;
const INCOMPLETE = 2;

/**
 * Compares the catalog with public package data: `npm run catalog:watch`. The package clients npm and pip fetch the
 * newest versions and cache them. Every comparable price is quoted by the product's own price function.
 * Files with further lists of models may be given. Exit code 1: differences that no decision accepts; 2: a source was
 * not read.
 */
const { values: options, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    /** Prints also what agrees, what is decided, and what only the catalog has. */
    all: { type: 'boolean', default: false },
    /** Reads packages from this folder, each as `<name>@<version>`, without network. */
    from: { type: 'string' },
    catalog: { type: 'string', default: join(ROOT, 'catalog') },
  },
});

const { from, catalog: directory } = options;
const fetched = await temporaryDirectory('catalog-watch-');
const read = await Promise.all(SOURCES.map(readSource));
const given = await Promise.all(files.map(readGivenList));
const { models } = await loadCatalog({ directories: [directory] });
const decided = await readDecisions(join(directory, 'watch-decisions.json'));
const unread = read.flatMap(({ name, fault }) => (fault === null ? [] : [{ name, fault }]));
const differences = findDifferences({
  models,
  decided,
  offers: [...read.flatMap(({ offers }) => offers), ...given.flat()],
  unread,
});
printReport({ ...differences, read: read.filter(({ fault }) => fault === null), unread }, options.all);
process.exitCode = unread.length > 0 ? INCOMPLETE : differences.undecided > 0 ? UNDECIDED : 0;

async function readSource(source: Source) {
  const { name } = source;
  try {
    const found = await (from === undefined ? fetchPackage(source, fetched) : findPackage(source, from));
    return { name, version: found.version, offers: await source.read(found), fault: null };
  } catch (error) {
    return { name, version: '', offers: [], fault: error instanceof Error ? error.message : String(error) };
  }
}
