import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useLocation, useParams } from 'wouter';
import type { CatalogModel } from '../../api/model.ts';
import { useSession } from '../../api/session.ts';
import { useCatalog } from '../../api/use-models.ts';
import { DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { formatMoney } from '../../components/money.tsx';
import { Figure, Figures, Panel } from '../../components/panel.tsx';
import { formatSeconds } from '../../format.ts';
import { modelTexts } from '../../texts/models.ts';
import { studioTexts } from '../../texts/studio.ts';
import { fieldLabel } from '../../texts/studio-labels.ts';
import { CodePanel } from './code-panel.tsx';
import { EMPTY_DRAFT, setModel } from './draft.ts';
import { hindranceOf, isDelayed } from './filter-models.ts';
import { orderOfFields } from './form-fields.ts';
import { ModelExamples } from './model-examples.tsx';
import { acceptedBy, conditionsOf, leastOrder, requiredBy, valueText } from './model-facts.ts';
import classes from './model-page.module.css';

/** A model: what it made, what it costs, how long it takes, what it accepts, and how to order it. */
export function ModelPage() {
  const { modelId = '' } = useParams<{ modelId: string }>();
  const { models, orderable, isPending, error } = useCatalog();
  const model = models.find(({ model_id: id }) => id === modelId);
  if (model !== undefined) return <Shown model={model} isOrderable={orderable.has(modelId)} />;
  if (error !== null) return <ErrorNote error={error} />;
  if (isPending) return <Skeleton h={320} radius={14} aria-hidden="true" />;
  return <EmptyState title="Model not found" text={`The catalog has no model “${modelId}”.`} />;
}

function Shown({ model, isOrderable }: { readonly model: CatalogModel; readonly isOrderable: boolean }) {
  const [, navigate] = useLocation();
  const order = () => {
    setModel(model);
    navigate('/');
  };
  return (
    <Stack>
      <Group justify="space-between" align="flex-end" gap="md" mb="lg">
        <Stack gap={4}>
          <Title order={1}>{model.name}</Title>
          <Text c="dimmed">{`${model.vendor} · ${model.description}`}</Text>
        </Stack>
        <Button onClick={order} disabled={!isOrderable}>
          Order with this
        </Button>
      </Group>
      <Facts model={model} isOrderable={isOrderable} />
      <ModelExamples model={model} isOrderable={isOrderable} />
      <Prices model={model} />
      <Limits model={model} />
      <CodePanel
        model={model}
        draft={{
          ...EMPTY_DRAFT,
          modelId: model.model_id,
          values: leastOrder(model, studioTexts.empty.examples.lighthouse),
        }}
        title="Order it from your program"
        hint=""
      />
    </Stack>
  );
}

function Facts({ model, isOrderable }: { readonly model: CatalogModel; readonly isOrderable: boolean }) {
  const { mode } = useSession();
  const { figures, notMeasured, notMeasuredHint, fasterThan } = modelTexts;
  const { typical_seconds: typical } = model;
  const texts = studioTexts.model;
  const [state, why] = !isOrderable
    ? [texts.hindrances[hindranceOf(model, mode)].word, texts.hindrances[hindranceOf(model, mode)].why]
    : isDelayed(model, mode)
      ? [texts.delayed, texts.delayedWhy]
      : ['Can be ordered', undefined];
  return (
    <Figures>
      <Figure label={figures.price} value={formatMoney(model.pricing.from)} />
      <Figure
        label={figures.time}
        value={typical === null ? notMeasured : formatSeconds(typical.p50)}
        hint={typical === null ? notMeasuredHint : fasterThan(formatSeconds(typical.p80))}
      />
      <Figure label={figures.kind} value={modelTexts.kinds[model.type]} />
      <Figure label={figures.state} value={state} hint={why} />
    </Figures>
  );
}

function Prices({ model }: { readonly model: CatalogModel }) {
  const { prices } = modelTexts;
  const { components, minimum } = model.pricing;
  return (
    <Panel
      title={prices.title}
      hint={[prices.hint, minimum === null ? '' : prices.minimum(formatMoney(minimum))].join(' ')}
      flush
    >
      <DataTable
        label={prices.title}
        rows={components}
        rowKey={(line) => JSON.stringify(line)}
        columns={[
          { head: prices.heads.when, phone: 'title', cell: conditionsOf },
          { head: prices.heads.per, phone: 'note', cell: unitOf },
          { head: prices.heads.amount, phone: 'aside', numeric: true, cell: ({ amount }) => formatMoney(amount) },
        ]}
      />
    </Panel>
  );
}

function unitOf({ per, formula }: CatalogModel['pricing']['components'][number]): string {
  const { per: units, formulas } = modelTexts.prices;
  return formula === undefined ? (units[per] ?? per.replaceAll('_', ' ')) : formulas[formula.name];
}

function Limits({ model }: { readonly model: CatalogModel }) {
  const { limits } = modelTexts;
  const { media, main, further } = orderOfFields(model);
  const names = ['prompt', ...media, ...main, ...further].filter((name) => name in model.parameters);
  const rules = [...model.constraints.map(({ message }) => message), ...(model.notes ?? [])];
  return (
    <Panel title={limits.title} hint={requiredBy(model)} flush>
      <DataTable
        label={limits.title}
        rows={names}
        rowKey={(name) => name}
        columns={[
          { head: limits.heads.field, phone: 'title', cell: fieldLabel },
          { head: limits.heads.accepts, phone: 'note', cell: (name) => acceptedBy(model, name) },
          {
            head: limits.heads.default,
            phone: 'fact',
            cell: (name) => valueText(model.default_config[name] ?? null) || limits.none,
          },
        ]}
      />
      {rules.length > 0 && (
        <ul className={classes.rules} aria-label={limits.rules}>
          {rules.map((rule) => (
            <li key={rule}>{rule}</li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
