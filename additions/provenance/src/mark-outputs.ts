import { world } from '@darkroom-service/contract';
import { type ChangeOutput, type Kernel, type TaskRecord, VERSION } from '@darkroom-service/darkroom/kernel';
import type { Engine } from '@darkroom-service/engines';
import { type Mark, MediaFault } from '@darkroom-service/media';
import { MarkFault, openMarking, xmpOf } from '@darkroom-service/media/structure';
import { Counter } from 'prom-client';
import { type AccountChoice, readChoices } from './account-provenance.ts';
import { MARK_SETTINGS } from './provenance-settings.ts';
import { readIdentity } from './signing-identity.ts';
import { BUILT_IN, sourceTypeOf } from './source-type.ts';
import { withIngredients } from './with-ingredients.ts';

type MarkedOutput = Awaited<ReturnType<ChangeOutput>>;

const READ_EVERY_MS = 2_000;
/** Types without a manifest: C2PA has no place in Matroska, of which WebM is a part. */
const WITHOUT_MANIFEST = ['video/webm', 'video/x-matroska'];

/** Opens the marking of the outputs that this process stores. */
export async function openProvenance(kernel: Kernel): Promise<ChangeOutput> {
  const { engines, files, figures, log, process, settings, store } = kernel;
  const provenance = settings.of(MARK_SETTINGS);
  let choices: ReadonlyMap<string, AccountChoice> = new Map();
  await process.refresh('account_provenance', READ_EVERY_MS, async () => {
    choices = await readChoices(store.read);
  });
  const counted = new Counter({
    name: 'darkroom_marked_outputs_total',
    help: 'Outputs that were to be marked as made by a machine, by standard and by what became of them.',
    labelNames: ['standard', 'state'] as const,
    registers: [figures],
  });
  for (const standard of ['metadata', 'c2pa'])
    for (const state of ['marked', 'kept', 'failed']) counted.inc({ standard, state }, 0);
  const { setting } = provenance;
  if (setting === null)
    log.info('outputs made here are marked with metadata, those of upstreams are not; DARKROOM_PROVENANCE changes it');
  else log.info({ setting }, 'outputs are marked as DARKROOM_PROVENANCE says');

  const identity = readIdentity(provenance, world.now());

  return async ({ task, contentType }) => {
    const choice = choices.get(task.account_id);
    const { engine } = task.route;
    const madeHere = engines.readOwned(engine) === null && isMadeHere(engines.get(engine));
    const chosen = choice?.setting ?? setting ?? (madeHere ? 'metadata' : 'off');
    if (chosen === 'off') return null;
    const standard = WITHOUT_MANIFEST.includes(contentType) ? 'metadata' : chosen;
    const mark = markOf(task, await sourceTypeOf(store.read, task), choice?.writesPrompt === true);
    const record = (state: 'marked' | 'kept') => {
      counted.inc({ standard, state });
      return { provenance: { state, standard } } as const;
    };
    const unchanged = (error: unknown): ReturnType<NonNullable<MarkedOutput>['unchanged']> => {
      if (error instanceof MarkFault && error.state === 'kept') return record('kept');
      counted.inc({ standard, state: 'failed' });
      log.warn({ err: error, task_id: task.id, standard }, 'output was not marked; it is delivered as it came');
      const isKnown = error instanceof MarkFault || error instanceof MediaFault;
      const reason = isKnown ? error.message : 'an internal error';
      return { provenance: { state: 'failed', standard, reason } };
    };
    if (standard === 'c2pa')
      return {
        kind: 'whole',
        unchanged,
        async write(from, to, call) {
          if (identity === null || world.now() > identity.validUntil)
            throw new MarkFault('failed', 'there is no valid certificate to sign it with');
          const outcome = await withIngredients(kernel, task, (ingredients) =>
            files.media.markFile(from, to, { contentType, mark, signing: identity, ingredients }, call),
          );
          if (outcome === null) throw unsupported(contentType);
          if (outcome.state === 'kept') throw new MarkFault('kept', 'it holds a manifest that stays');
          const { provenance } = record('marked');
          return { provenance: { ...provenance, ...leftOutOf(outcome) }, splices: outcome.splices };
        },
      };
    const marking = openMarking(contentType, xmpOf(mark));
    if (marking === null)
      return {
        kind: 'pieces',
        unchanged,
        add: (piece) => [piece],
        end: () => [],
        told: () => unchanged(unsupported(contentType)),
      };
    const told = () => {
      const outcome = marking.outcome();
      return outcome.state === 'kept' ? record('kept') : { ...record('marked'), splices: outcome.splices };
    };
    return { kind: 'pieces', unchanged, add: marking.add, end: marking.end, told };
  };
}

function leftOutOf({ leftOut }: { readonly leftOut: readonly string[] }): { readonly reason?: string } {
  if (leftOut.length === 0) return {};
  return { reason: `C2PA manifests were left out: ${leftOut.join('; ')}` };
}

function unsupported(contentType: string): MarkFault {
  return new MarkFault('failed', `files of the type ${contentType} are not marked`);
}

/** Whether the engine runs on the operator's own machines: free engines do. */
function isMadeHere(engine: Engine | undefined): boolean {
  return engine?.repeatable === true || engine?.isFree === true;
}

function markOf(task: TaskRecord, source: Mark['source'], writesPrompt: boolean): Mark {
  const isBuiltIn = task.route.engine === BUILT_IN;
  const { prompt } = task.request.values;
  return {
    source,
    generator: `Darkroom ${VERSION}`,
    model: isBuiltIn ? BUILT_IN : task.model_id,
    taskId: task.id,
    createdAt: new Date(task.started_at ?? task.created_at),
    prompt: writesPrompt && typeof prompt === 'string' ? prompt : null,
    isTest: task.mode === 'test',
  };
}
