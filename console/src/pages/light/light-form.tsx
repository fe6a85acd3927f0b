import { Group, Text, Textarea, TextInput } from '@mantine/core';
import { IconDice5, IconMinus, IconPlus } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { CatalogModel } from '../../api/model.ts';
import { useOrderableModels } from '../../api/use-models.ts';
import { BatchList } from '../../components/batches/batch-list.tsx';
import { MOST_CELLS } from '../../components/batches/batch-state.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Segments } from '../../components/segments.tsx';
import { batchTexts } from '../../texts/batches.ts';
import { lightTexts as texts } from '../../texts/light.ts';
import { AxesField } from './axes-field.tsx';
import { bodyOf } from './batch-body.ts';
import { changeDraft, randomSeeds, seedsOf, useLightDraft } from './draft.ts';
import { expandPrompts } from './expand-prompts.ts';
import classes from './light-form.module.css';
import { ModelsField } from './models-field.tsx';
import { Ordering } from './ordering.tsx';
import { countCells, type PlanNote, planTable } from './plan.ts';
import { useBatchOrdering } from './use-batch-ordering.ts';

/**
 * The form of a light table: prompts, models, seeds and settings, what becomes of them, and the price of everything.
 */
export function LightForm() {
  const draft = useLightDraft();
  const { models: all, error } = useOrderableModels();
  const ordering = useBatchOrdering();
  const models = useMemo(() => suitable(all ?? [], draft.type), [all, draft.type]);
  const chosen = useMemo(
    () => draft.modelIds.flatMap((id) => models.find((model) => model.model_id === id) ?? []),
    [models, draft.modelIds],
  );
  const prompts = useMemo(() => expandPrompts(draft.prompts, MOST_CELLS), [draft.prompts]);
  const seeds = seedsOf(draft.seeds);
  const count = countCells({ prompts, models: chosen, seeds: seeds ?? [], axes: draft.axes });
  const fault = faultOf({ prompts, chosen, seeds, axes: draft.axes, count });
  const plan = useMemo(
    () =>
      fault !== null
        ? null
        : planTable({
            prompts,
            models: chosen,
            seeds: seedsOf(draft.seeds) ?? [],
            axes: draft.axes,
            leftOut: new Set(draft.leftOut),
          }),
    [fault, prompts, chosen, draft.seeds, draft.axes, draft.leftOut],
  );
  const seedCount = seeds?.length ?? 0;
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead} />
      <div className={classes.page}>
        <section className={classes.form} aria-label={texts.form}>
          {error !== null && all === undefined && <ErrorNote error={error} />}
          <Segments
            label={texts.kinds.label}
            words={texts.kinds.words}
            value={draft.type}
            onChange={(type) => changeDraft({ type, modelIds: [], axes: [], leftOut: [] })}
          />
          <Textarea
            label={texts.prompts.label}
            description={texts.prompts.help}
            placeholder={texts.prompts.placeholder[draft.type]}
            value={draft.prompts}
            onChange={({ currentTarget }) => changeDraft({ prompts: currentTarget.value, leftOut: [] })}
            autosize
            minRows={3}
            maxRows={12}
            dir="auto"
          />
          <ModelsField models={models} chosen={draft.modelIds} />
          <Group gap="xs" align="flex-end" wrap="nowrap">
            <TextInput
              className={classes.seeds ?? ''}
              label={texts.seeds.label}
              description={texts.seeds.help}
              value={draft.seeds}
              onChange={({ currentTarget }) => changeDraft({ seeds: currentTarget.value, leftOut: [] })}
              error={seeds === null ? texts.seeds.fault : undefined}
              inputMode="numeric"
            />
            {(
              [
                [texts.seeds.fewer, IconMinus, () => (seeds ?? []).slice(0, -1).join(', ')],
                [texts.seeds.more, IconPlus, () => [...(seeds ?? []), Math.max(0, ...(seeds ?? [])) + 1].join(', ')],
                [texts.seeds.roll, IconDice5, () => randomSeeds(Math.max(1, seedCount))],
              ] as const
            ).map(([label, Icon, change]) => (
              <IconButton
                key={label}
                label={label}
                size={36}
                variant="default"
                onClick={() => changeDraft({ seeds: change() })}
                disabled={seedCount === 0 && label === texts.seeds.fewer}
              >
                <Icon size={16} />
              </IconButton>
            ))}
          </Group>
          <AxesField models={chosen} axes={draft.axes} />
        </section>
        <section className={classes.side} aria-label={texts.plan.title}>
          {fault !== null ? (
            <Text c="dimmed" role="status">
              {fault}
            </Text>
          ) : (
            <Text className={classes.sum ?? ''} role="status">
              {[
                texts.prompts.count(prompts.length),
                texts.plan.models(chosen.length),
                ...(seedCount === 0 ? [] : [texts.seeds.count(seedCount)]),
                ...draft.axes
                  .filter(({ values }) => values.length > 1)
                  .map(({ name, values }) => texts.plan.values(values.length, name.replaceAll('_', ' '))),
              ].join(' × ')}
            </Text>
          )}
          {plan !== null && <PlanNotes notes={plan.notes} />}
          <Ordering
            entries={plan?.entries ?? []}
            models={plan?.models ?? []}
            kind={draft.type}
            ceiling={draft.ceiling}
            onCeiling={(ceiling) => changeDraft({ ceiling })}
            onLeaveOut={(bodies) => changeDraft({ leftOut: [...draft.leftOut, ...bodies] })}
            ordering={ordering}
            onOrder={(maxPrice, price) =>
              ordering.place(
                bodyOf(plan?.entries ?? [], prompts.length === 1 ? (prompts[0] ?? '') : draft.prompts, maxPrice),
                price,
              )
            }
          />
        </section>
      </div>
      <div className={classes.earlier}>
        <Panel title={texts.earlier}>
          <BatchList only="light-tables" none={batchTexts.noTables} />
        </Panel>
      </div>
    </>
  );
}

/** Returns the models that a prompt alone is enough for. */
function suitable(models: readonly CatalogModel[], type: 'image' | 'video'): readonly CatalogModel[] {
  const isEnough = ({ required }: CatalogModel) =>
    required.length === 0 || required.some((list) => list.every((name) => name === 'prompt'));
  return models.filter((model) => model.type === type && 'prompt' in model.parameters && isEnough(model));
}

/** Returns why nothing can be planned; null if it can. */
function faultOf(form: {
  readonly prompts: readonly string[];
  readonly chosen: readonly CatalogModel[];
  readonly seeds: readonly number[] | null;
  readonly axes: readonly { readonly name: string; readonly values: readonly string[] }[];
  readonly count: number;
}): string | null {
  if (form.prompts.length === 0) return texts.plan.needsPrompt;
  if (form.chosen.length === 0) return texts.plan.needsModel;
  if (form.seeds === null) return texts.seeds.fault;
  const empty = form.axes.find(({ values }) => values.length === 0);
  if (empty !== undefined) return texts.plan.needsValue(empty.name.replaceAll('_', ' '));
  return form.count > MOST_CELLS ? texts.plan.tooMany(form.count, MOST_CELLS) : null;
}

/** What the models do not accept of the form, model by model. */
function PlanNotes({ notes }: { readonly notes: readonly PlanNote[] }) {
  if (notes.length === 0) return null;
  return (
    <section className={classes.notes} aria-label={texts.plan.leftOut} aria-live="polite">
      <Text size="sm" fw={600}>
        {texts.plan.leftOut}
      </Text>
      <ul>
        {notes.map(({ model, text, leftOut }) => (
          <li key={`${model.model_id} ${text}`}>
            <b>{model.name}</b> {text}
            {leftOut > 0 && (
              <Text span inherit c="dimmed">
                {' '}
                · {texts.plan.count1(leftOut)}
              </Text>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
