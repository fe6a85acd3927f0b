import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIdFactory, formatMicros, type Micros, systemClock, world } from '@darkroom-service/contract';
import type { CatalogFile } from '@darkroom-service/contract/catalog';
import type { AddedTools, Addition, Config } from '@darkroom-service/darkroom/kernel';
import {
  CommandFault,
  enabledAdditions,
  inform,
  type OutputOptions,
  readOwnConfig,
  requireYes,
  show,
  table,
  usageFault,
} from '@darkroom-service/darkroom/kernel-cli';
import { loadCatalog } from '@darkroom-service/darkroom/kernel-views';
import type { Engine } from '@darkroom-service/engines';
import { openInstances } from '@darkroom-service/engines/adapters';
import { createMediaTools, createRedactor, createTrustedFetch } from '@darkroom-service/media';
import { pino } from 'pino';
import type { KnownShapes } from './trial/answer-shape.ts';
import { planTrial, type TrialStep, withinBudget } from './trial/plan-trial.ts';
import { createRecorder } from './trial/recorded-fetch.ts';
import { runTrial, type TrialReport, type TrialResult } from './trial/run-trial.ts';

interface TryOptions extends OutputOptions {
  readonly maxSpend: Micros;
  readonly dryRun?: true;
  readonly yes?: true;
  readonly report: string;
}

/** Places the cheapest order of each live route and writes a report. */
export async function tryEngines(
  names: readonly string[],
  options: TryOptions,
  additions: readonly Addition[],
): Promise<void> {
  const config = readOwnConfig();
  const { fetch, close } = createTrustedFetch(config.outgoing);
  const pictures = createMediaTools();
  const closers = new AsyncDisposableStack();
  const stop = new AbortController();
  const onInterrupt = () => stop.abort(new Error('interrupted'));
  process.once('SIGINT', onInterrupt);
  try {
    const recorder = createRecorder(options.dryRun === true ? null : fetch);
    const opened = await openInstances(config, {
      clock: systemClock,
      log: pino({ level: 'silent' }),
      fetch: recorder.fetch,
      pictures,
    });
    const tried = options.dryRun === true ? [] : names;
    const added = await openAddedModels(config, { additions, tried }, { fetch: recorder.fetch, pictures }, closers);
    const engines = new Map(
      [...opened.map(({ engine }) => engine), ...added.engines]
        .filter(({ name }) => config.engines?.includes(name) !== false)
        .filter(({ name }) => names.length === 0 || names.includes(name))
        .map((engine) => [engine.name, engine]),
    );
    const missing = names.filter((name) => !engines.has(name));
    if (missing.length > 0)
      throw usageFault(`not configured: ${missing.join(', ')}. See docs/configuration.md#engines.`);
    if (engines.size === 0)
      throw new CommandFault('No engine with an upstream is configured. See docs/configuration.md.');
    const catalog = await loadCatalog({ directories: config.catalogDirectories, added: added.entries });
    const steps = planTrial(catalog.models, engines);
    const budget = options.dryRun === true ? Number.MAX_SAFE_INTEGER : options.maxSpend;
    const { chosen, left } = withinBudget(steps, budget);
    inform(options, describePlan(chosen, left));
    if (options.dryRun !== true && !(await isAgreed(options, chosen))) throw new CommandFault('Nothing was ordered.');
    const save = (report: TrialReport) => writeFile(options.report, `${withoutSecrets(report, config)}\n`);
    const report = await runTrial(chosen, left, {
      engines,
      recorder,
      known: await readKnownShapes(config),
      signal: stop.signal,
      now: () => systemClock.now(),
      createTaskId: trialIds(),
      dryRun: options.dryRun === true,
      onProgress: save,
    });
    await save(report);
    const json = JSON.parse(withoutSecrets(report, config)) as unknown;
    show(options, { json, text: `${describeResults(report)}\nReport: ${options.report}` });
    if (report.results.some(({ outcome }) => !report.dry_run && outcome !== 'succeeded')) process.exitCode = 1;
  } finally {
    process.off('SIGINT', onInterrupt);
    await closers.disposeAsync();
    await pictures.close();
    await close();
  }
}

/** Reads the shapes of the answers with which the engines are tested; they are shipped beside the catalog. */
async function readKnownShapes(config: Config): Promise<KnownShapes> {
  const [shipped = ''] = config.catalogDirectories;
  return JSON.parse(await readFile(join(shipped, 'answers', 'shapes.json'), 'utf8')) as KnownShapes;
}

function trialIds() {
  const createId = createIdFactory(() => systemClock.now());
  return (type: 'image' | 'video') => createId(type === 'image' ? 'img' : 'vid');
}

async function isAgreed(options: TryOptions, chosen: readonly TrialStep[]): Promise<boolean> {
  if (options.yes === true || chosen.length === 0) return true;
  return await requireYes('Place these orders?', 'Add --yes to order, or --dry-run to look.');
}

function describePlan(chosen: readonly TrialStep[], left: readonly TrialStep[]): string {
  const sum = chosen.reduce((total, { order }) => total + (order?.price ?? 0), 0);
  const rows = chosen.map(({ engine, model, upstreamModel, order }) => [
    engine,
    model,
    order === null ? '-' : formatMicros(order.price),
    upstreamModel,
  ]);
  const summary = `${chosen.length} orders, ${formatMicros(sum)} USD by the catalog; ${left.length} routes are not tried.`;
  return `${table(['ENGINE', 'MODEL', 'USD', 'UPSTREAM MODEL'], rows)}\n${summary}`;
}

function describeResults({ results, dry_run: isDry }: TrialReport): string {
  if (isDry) return results.map(describeRequest).join('\n\n');
  const rows = results.map((one) => [
    one.engine,
    one.model,
    one.outcome,
    one.accepted ? 'yes' : 'no',
    one.seconds,
    one.bytes,
    one.price,
    one.upstream_cost,
    [one.reason, ...one.differences].filter((text) => text !== null).join('; '),
  ]);
  return table(['ENGINE', 'MODEL', 'END', 'TAKEN', 'SECONDS', 'BYTES', 'PRICE', 'TOLD', 'NOTES'], rows);
}

function describeRequest({ engine, model, price, request, reason }: TrialResult): string {
  const heading = `${engine}: ${model} (${price} USD)`;
  if (request === null) return `${heading}\n  no request: ${reason}`;
  const headers = Object.entries(request.headers).map(([name, value]) => `  ${name}: ${value}`);
  return [heading, `  ${request.method} ${request.url}`, ...headers, `  ${JSON.stringify(request.body)}`].join('\n');
}

/** Replaces secrets, also those that an upstream repeated in its answer. */
function withoutSecrets(report: TrialReport, { secrets }: Config): string {
  return createRedactor(secrets, '[secret]')(JSON.stringify(report, null, 2));
}

/**
 * Reads the entries of additions, and opens those of their engines that are tried. The engines start what they need for
 * each order, beside a running service.
 */
async function openAddedModels(
  config: Config,
  { additions, tried }: { readonly additions: readonly Addition[]; readonly tried: readonly string[] },
  tools: Pick<AddedTools, 'fetch' | 'pictures'>,
  closers: AsyncDisposableStack,
): Promise<{ readonly engines: readonly Engine[]; readonly entries: readonly CatalogFile[] }> {
  const models = await Promise.all(
    enabledAdditions(additions, config.without).flatMap((addition) => addition.models?.(config) ?? []),
  );
  const entries = await Promise.all(models.map((added) => added.readEntries()));
  const engines: Engine[] = [];
  for (const added of models.filter(({ engine }) => tried.includes(engine))) {
    const temporaryDirectory = await mkdtemp(join(tmpdir(), 'darkroom-try-'));
    closers.defer(() => rm(temporaryDirectory, { recursive: true, force: true }));
    const parts = {
      clock: systemClock,
      log: pino({ level: 'silent' }),
      process: world.randomUUID(),
      reloadCatalog: async () => {},
    };
    engines.push(...(await added.openEngines({ ...parts, ...tools, temporaryDirectory }, closers)));
  }
  return { engines: engines.filter(({ isDormant }) => isDormant?.() !== true), entries };
}
