import type { TaskView as Task } from '@darkroom-service/contract';
import { NumberInput, Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { type CatalogModel, type Values, valuesThatFit } from '../../../api/model.ts';
import { orderAgain } from '../../../api/order-again.ts';
import { useOrderableModels } from '../../../api/use-models.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { promptOf, seedOf } from '../../../components/task-facts.ts';
import { Small } from '../../../components/words.tsx';
import { type BatchEntry, entryName } from './batch-body.ts';
import { ModelsField, promptModels } from './models-field.tsx';
import { TablePlacing } from './table-placing.tsx';

const WAYS = {
  seeds: 'Other seeds of this model',
  models: 'This seed on other models',
  variation: 'Variations by the model',
};
const MOST = 12;
type Way = keyof typeof WAYS;

/**
 * Orders more results like one as a table: other seeds, the same seed on other models, or the model's own variations.
 */
export function MoreLikeThis({ task, onClose }: { readonly task: Task; readonly onClose: () => void }) {
  const { models: all = [] } = useOrderableModels();
  const own = all.find(({ model_id: id }) => id === task.model_id);
  const others = promptModels(all, task.type).filter((model) => model !== own);
  const hasSeed = own !== undefined && 'seed' in own.parameters && task.action === null;
  const hasVariation = task.available_actions.some(
    ({ action, parameters }) => action === 'variation' && !('index' in parameters),
  );
  const ways: readonly Way[] = [
    ...(hasSeed ? (['seeds'] as const) : []),
    ...(task.action === null ? (['models'] as const) : []),
    ...(hasVariation ? (['variation'] as const) : []),
  ];
  const [chosen, setWay] = useState<Way>('seeds');
  const way = ways.includes(chosen) ? chosen : ways[0];
  const [count, setCount] = useState(4);
  const [modelIds, setModelIds] = useState<readonly string[]>([]);
  const [ceiling, setCeiling] = useState('');
  const [firstSeed] = useState(() => 1 + Math.floor(Math.random() * 999_999));
  const targets = modelIds.flatMap((id) => others.find(({ model_id: other }) => other === id) ?? []);
  const entries =
    way === 'models'
      ? onModels(task, targets)
      : way === 'seeds'
        ? withSeeds(task, count, firstSeed)
        : way === 'variation'
          ? variations(task, count)
          : [];
  const models = entries
    .map((_, index) => (way === 'models' ? targets[index] : own))
    .filter((one) => one !== undefined);
  return (
    <Dialog onClose={onClose} title="More like this" size="lg">
      <Stack>
        <Radio.Group label="How" value={way ?? null} onChange={(value) => setWay(value as Way)}>
          <Stack gap={6} mt={6}>
            {ways.map((value) => (
              <Radio key={value} value={value} label={WAYS[value]} />
            ))}
          </Stack>
        </Radio.Group>
        {way === 'models' ? (
          <ModelsField models={others} chosen={modelIds} label="Other models" onChange={setModelIds} />
        ) : (
          <NumberInput
            label="How many"
            min={1}
            max={MOST}
            value={count}
            onChange={(value) => setCount(typeof value === 'number' ? Math.min(MOST, Math.max(1, value)) : 1)}
          />
        )}
        <Small>Everything else stays as it was.</Small>
        <TablePlacing
          entries={entries}
          models={models}
          kind={task.type}
          ceiling={ceiling}
          onCeiling={setCeiling}
          onLeaveOut={null}
          title={promptOf(task)}
        />
      </Stack>
    </Dialog>
  );
}

function withSeeds(task: Task, count: number, firstSeed: number): readonly BatchEntry[] {
  const { body } = orderAgain(task);
  return Array.from({ length: count }, (_, index) => {
    const seed = firstSeed + index;
    return {
      name: entryName(index, 0, task.model_id, seed),
      operation: task.type === 'video' ? ('videos' as const) : ('images' as const),
      body: { ...body, seed },
    };
  });
}

/** Returns orders of the same prompt, seed and settings, as far as the other models accept them. */
function onModels(task: Task, models: readonly CatalogModel[]): readonly BatchEntry[] {
  const { model_id: _, ...body } = orderAgain(task).body;
  const { end_user: endUser, metadata, ...values } = body;
  const mark: Values = {
    ...(endUser === undefined ? {} : { end_user: endUser }),
    ...(metadata === undefined ? {} : { metadata }),
  };
  const seed = seedOf(task);
  return models.map((model, column) => ({
    name: entryName(0, column, model.model_id, seed),
    operation: task.type === 'video' ? ('videos' as const) : ('images' as const),
    body: {
      model_id: model.model_id,
      ...valuesThatFit(seed === null ? values : { ...values, seed }, model),
      ...mark,
    },
  }));
}

function variations(task: Task, count: number): readonly BatchEntry[] {
  return Array.from({ length: count }, (_, index) => ({
    name: entryName(index, 0, 'variation', null),
    operation: 'actions' as const,
    body: { parent_task_id: task.task_id, action: 'variation' },
  }));
}
