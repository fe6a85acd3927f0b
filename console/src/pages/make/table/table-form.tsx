import { Button, Group, Text, Textarea, TextInput } from '@mantine/core';
import { IconArrowLeft, IconDice5, IconMinus, IconPlus } from '@tabler/icons-react';
import { useMemo, useRef } from 'react';
import { Link } from 'wouter';
import type { CatalogModel } from '../../../api/model.ts';
import { useOrderableModels } from '../../../api/use-models.ts';
import { MOST_CELLS } from '../../../components/batches/batch-state.tsx';
import { ErrorNote } from '../../../components/error-note.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { Segments } from '../../../components/inputs.tsx';
import orderForm from '../../../components/order-form.module.css';
import { formatCount, formatMany } from '../../../format.ts';
import { studioTexts } from '../../../texts/studio.ts';
import { isOrderKey } from '../order/use-kept-press.ts';
import { OrderingContext, useNewOrdering } from '../order/use-ordering.ts';
import { AxesField } from './axes-field.tsx';
import { changeDraft, randomSeeds, seedsOf, useLightDraft } from './draft.ts';
import { ModelsField, promptModels } from './models-field.tsx';
import { countCells, expandPrompts, type PlanNote, planTable } from './plan.ts';
import classes from './table-form.module.css';
import { TablePlacing } from './table-placing.tsx';

const PLACEHOLDERS = {
  image: 'A lighthouse on a cliff at {dawn|dusk}',
  video: 'A small boat crosses a calm bay at {sunrise|noon}',
};
const NO_SEEDS = 'Seeds are whole numbers, separated by commas.';
const ONE_LESS = 'One seed less';
const NONE: readonly CatalogModel[] = [];

/** The order form for a table: prompts, models, seeds and settings, the planned orders, and the total price. */
export function TableForm() {
  const { models: all = NONE, error } = useOrderableModels();
  const draft = useLightDraft();
  const button = useRef<HTMLButtonElement>(null);
  const ordering = useNewOrdering(true);
  const models = useMemo(() => promptModels(all, draft.type), [all, draft.type]);
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
    <section
      className={orderForm.composer}
      aria-label="Your order of several"
      onKeyDown={(event) => isOrderKey(event) && button.current?.click()}
    >
      <div className={orderForm.fields}>
        <Group justify="space-between" gap="xs">
          <Segments
            label="What to make"
            words={studioTexts.kinds}
            value={draft.type}
            onChange={(type) => changeDraft({ type, modelIds: [], axes: [], leftOut: [] })}
          />
          <Button
            component={Link}
            href="/"
            size="compact-sm"
            variant="subtle"
            color="gray"
            leftSection={<IconArrowLeft size={16} aria-hidden="true" />}
          >
            Only one
          </Button>
        </Group>
        {error !== null && all.length === 0 && <ErrorNote error={error} />}
        <Textarea
          label="Prompts"
          description="One a line. {dawn|dusk|night} makes one prompt of each."
          placeholder={PLACEHOLDERS[draft.type]}
          value={draft.prompts}
          onChange={({ currentTarget }) => changeDraft({ prompts: currentTarget.value, leftOut: [] })}
          autosize
          minRows={3}
          maxRows={12}
          dir="auto"
        />
        <ModelsField models={models} chosen={draft.modelIds} />
        <div className={classes.seeds}>
          <TextInput
            label="Seeds"
            description="The same for every model. Without any, each model chooses its own."
            placeholder="1, 2, 3"
            value={draft.seeds}
            onChange={({ currentTarget }) => changeDraft({ seeds: currentTarget.value, leftOut: [] })}
            error={seeds === null ? NO_SEEDS : undefined}
            inputMode="numeric"
          />
          {(
            [
              [ONE_LESS, IconMinus, () => (seeds ?? []).slice(0, -1).join(', ')],
              ['One seed more', IconPlus, () => [...(seeds ?? []), Math.max(0, ...(seeds ?? [])) + 1].join(', ')],
              ['Choose new seeds', IconDice5, () => randomSeeds(Math.max(1, seedCount))],
            ] as const
          ).map(([label, Icon, change]) => (
            <IconButton
              key={label}
              label={label}
              size={36}
              variant="default"
              onClick={() => changeDraft({ seeds: change() })}
              disabled={seedCount === 0 && label === ONE_LESS}
            >
              <Icon size={16} />
            </IconButton>
          ))}
        </div>
        <AxesField models={chosen} axes={draft.axes} />
        {plan !== null && <PlanNotes notes={plan.notes} />}
      </div>
      <section className={orderForm.placing} data-tall aria-label="What will be made">
        <Text className={classes.sum ?? ''} role="status">
          {fault ??
            [
              formatMany(prompts.length, 'prompt'),
              formatMany(chosen.length, 'model'),
              ...(seedCount === 0 ? [] : [formatMany(seedCount, 'seed')]),
              ...draft.axes
                .filter(({ values }) => values.length > 1)
                .map(({ name, values }) => `${values.length} values of ${name.replaceAll('_', ' ').toLowerCase()}`),
            ].join(' × ')}
        </Text>
        <OrderingContext value={ordering}>
          <TablePlacing
            entries={plan?.entries ?? []}
            models={plan?.models ?? []}
            kind={draft.type}
            ceiling={draft.ceiling}
            onCeiling={(ceiling) => changeDraft({ ceiling })}
            onLeaveOut={(bodies) => changeDraft({ leftOut: [...draft.leftOut, ...bodies] })}
            button={button}
            title={prompts.length === 1 ? (prompts[0] ?? '') : draft.prompts}
          />
        </OrderingContext>
      </section>
    </section>
  );
}

/** Returns the reason why nothing can be planned; null if it can. */
function faultOf(form: {
  readonly prompts: readonly string[];
  readonly chosen: readonly CatalogModel[];
  readonly seeds: readonly number[] | null;
  readonly axes: readonly { readonly name: string; readonly values: readonly string[] }[];
  readonly count: number;
}): string | null {
  if (form.prompts.length === 0) return 'Write a prompt.';
  if (form.chosen.length === 0) return 'Add at least one model.';
  if (form.seeds === null) return NO_SEEDS;
  const empty = form.axes.find(({ values }) => values.length === 0);
  if (empty !== undefined) return `Add a value of ${empty.name.replaceAll('_', ' ').toLowerCase()}, or remove it.`;
  return form.count > MOST_CELLS
    ? `These are ${formatCount(form.count)}; a table takes at most ${MOST_CELLS}. Leave out prompts, models, seeds or values.`
    : null;
}

/** The parts of the form that models do not accept, by model. */
function PlanNotes({ notes }: { readonly notes: readonly PlanNote[] }) {
  if (notes.length === 0) return null;
  return (
    <section className={classes.notes} aria-label="Not accepted by every model" aria-live="polite">
      <Text size="sm" fw={600}>
        Not accepted by every model
      </Text>
      <ul>
        {notes.map(({ model, text, leftOut }) => (
          <li key={`${model.model_id} ${text}`}>
            <b>{model.name}</b> {text}
            {leftOut > 0 && (
              <Text span inherit c="dimmed">
                {' '}
                · {leftOut} left out
              </Text>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
