import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadCatalog } from '../../src/catalog/catalog.ts';
import { temporaryDirectory } from '../helpers/temporary-directory.ts';
import { readComfyPages } from './comfy-pages.ts';
import { readDecisions } from './decisions.ts';
import { findDifferences, isSecond } from './find-differences.ts';
import { readGatewayModels } from './gateway-models.ts';
import { readGivenList } from './given-list.ts';
import {
  readComfyTemplates,
  readGatewayTypes,
  readGoogleTypes,
  readLumaTypes,
  readOpenaiTypes,
  readRunwayTypes,
  readXaiTypes,
} from './model-lists.ts';
import { readNodePack } from './node-pack.ts';
import type { Offer } from './offer.ts';
import { fetchPackage, findPackage, type Package, type PackageName } from './packages.ts';
import { readPartnerPrices } from './partner-prices.ts';
import { readPriceFile } from './price-file.ts';
import { proveWatch } from './prove.ts';
import { printProof, printReport, printSources } from './report.ts';
import { writePriceSources } from './write-sources.ts';

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
  { client: 'npm', name: '@llmgateway/models', files: [], read: readGatewayModels },
  { client: 'npm', name: 'openai', files: TYPES, read: readOpenaiTypes },
  { client: 'npm', name: '@google/genai', files: TYPES, read: readGoogleTypes },
  { client: 'npm', name: '@runwayml/sdk', files: TYPES, read: readRunwayTypes },
  { client: 'pip', name: 'xai-sdk', files: ['xai_sdk/types/model.py'], read: readXaiTypes },
  { client: 'pip', name: 'luma-agents', files: ['luma_agents/types/model.py'], read: readLumaTypes },
  { client: 'pip', name: 'comfyui-embedded-docs', files: ['/en.md'], read: readComfyPages },
  { client: 'pip', name: 'comfyui-workflow-templates-json', files: ['templates/index.json'], read: readComfyTemplates },
  { client: 'git', name: 'Comfy-Org/docs', files: ['tutorials/partner-nodes/pricing.mdx'], read: readPartnerPrices },
  {
    client: 'git',
    name: 'byteplus-sa/ComfyUI-BytePlus-ModelArk',
    files: ['nodes/models_config.py'],
    read: readNodePack,
  },
];
const ROOT = join(import.meta.dirname, '..', '..');
const UNDECIDED = 1;
const INCOMPLETE = 2;

/**
 * Compares the catalog with public package data: `npm run catalog:watch`. The package clients npm and pip fetch the
 * newest versions and cache them; with `--repositories`, git fetches files of public repositories, too. Every
 * comparable price is quoted by the product's own price function. Files with further lists of models may be given.
 * Exit code 1: differences that no decision accepts; 2: a source was not read.
 */
const { values: options, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    /** Prints also what agrees, what is decided, and what only the catalog has. */
    all: { type: 'boolean', default: false },
    /** Reads packages from this folder, each as `<name>@<version>`, without network. */
    from: { type: 'string' },
    catalog: { type: 'string', default: join(ROOT, 'catalog') },
    /** Reads public repositories, too. */
    repositories: { type: 'boolean', default: false },
    /** Takes models, prices and ends out of the catalog, one at a time, and says which the sources would not name. */
    prove: { type: 'boolean', default: false },
    /** Writes into the catalog's entries which sources state their prices. */
    'write-sources': { type: 'boolean', default: false },
  },
});

const { from, catalog: directory } = options;
const fetched = await temporaryDirectory('catalog-watch-');
const asked = SOURCES.filter(({ client }) => client !== 'git' || options.repositories);
const read = await Promise.all(asked.map(readSource));
const given = await Promise.all(files.map(readGivenList));
const { models } = await loadCatalog({ directories: [directory] });
const decided = await readDecisions(join(directory, 'watch-decisions.json'));
const unread = read.flatMap(({ name, fault }) => (fault === null ? [] : [{ name, fault }]));
const offers = [...read.flatMap(({ offers: found }) => found), ...given.flat()];
const differences = findDifferences({
  models,
  decided,
  offers,
  unread,
  unasked: SOURCES.filter((source) => !asked.includes(source)).map(({ name }) => name),
});
printReport({ ...differences, read: read.filter(({ fault }) => fault === null), unread }, options.all);
if (options.prove) printProof(proveWatch({ models, decided, offers }), options.all);
if (options['write-sources']) {
  const readNow = read.filter(({ fault }) => fault === null);
  const agreed = differences.agreed.filter(isSecond);
  printSources(
    await writePriceSources(directory, models, { agreed, read: readNow, today: new Date().toISOString().slice(0, 10) }),
  );
}
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
