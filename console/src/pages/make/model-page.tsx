import type { ComparedOrder, JsonValue } from '@darkroom-service/contract';
import type { Condition, PriceComponent } from '@darkroom-service/contract/catalog';
import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useLocation, useParams } from 'wouter';
import { type CatalogModel, mediaParameter, type Values } from '../../api/model.ts';
import { useSession } from '../../api/session.ts';
import { useCatalog, useComparedPrices } from '../../api/use-models.ts';
import { DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Figure, Figures, Panel } from '../../components/panel.tsx';
import { formatCount, formatMany, formatMoney, formatSeconds } from '../../format.ts';
import { studioTexts } from '../../texts/studio.ts';
import { featureLabel, fieldLabel, fieldLabelInSentence } from '../../texts/studio-labels.ts';
import { CodePanel } from './code-panel.tsx';
import { EMPTY_DRAFT, setModel } from './draft.ts';
import { hindranceOf, isDelayed } from './filter-models.ts';
import { orderOfFields } from './form-fields.ts';
import { ModelData } from './model-data.tsx';
import { ModelExamples } from './model-examples.tsx';
import classes from './model-page.module.css';

/** Units of prices, in words. */
const UNITS: Readonly<Record<string, string>> = {
  request: 'order',
  image: 'image',
  clip: 'video',
  output_second: 'second of video',
  input_video_second: 'second of input video',
  input_audio_second: 'second of input sound',
  input_plus_output_second: 'second of input and output',
  input_image: 'input image',
  output_megapixel: 'megapixel of output',
  input_megapixel: 'megapixel of input',
};
const FORMULAS = {
  openai_image_tokens: 'token of the image, counted from its size',
  prompt_tokens: 'token of the prompt',
  input_image_tokens: 'token of an input image',
  output_image_tokens: 'token of the image',
  video_tokens: 'token of video',
};
const MEDIA = { image: 'image', video: 'video', audio: 'sound file' };
const BOUNDS = { min: 'at least', above: 'above', max: 'at most', below: 'below' };
const [PRICES, LIMITS] = ['Prices', 'What it accepts'];

/** The page of a model: examples, prices, durations, accepted values, where orders go, and how to order it. */
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
      <ModelData modelId={model.model_id} isOrderable={isOrderable} />
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
  const { typical_seconds: typical } = model;
  const { data } = useComparedPrices(isOrderable ? [{ model_id: model.model_id }] : []);
  const texts = studioTexts.model;
  const [state, why] = !isOrderable
    ? [texts.hindrances[hindranceOf(model, mode)].word, texts.hindrances[hindranceOf(model, mode)].why]
    : isDelayed(model, mode)
      ? [texts.delayed, texts.delayedWhy]
      : ['Can be ordered', undefined];
  return (
    <Figures>
      {isOrderable && (
        <Figure label="Price of an order" value={priceOf(data?.items[0])} hint="With the default settings." />
      )}
      <Figure
        label="Usual time"
        value={typical === null ? 'Not known yet' : formatSeconds(typical.p50)}
        hint={
          typical === null
            ? 'Measured from finished live orders, of which there are too few.'
            : `80 % are done within ${formatSeconds(typical.p80)}.`
        }
      />
      <Figure label="Makes" value={studioTexts.kinds[model.type]} />
      <Figure label="Now" value={state} hint={why} />
    </Figures>
  );
}

/** Returns the price of an order with the default settings. */
function priceOf(order: ComparedOrder | undefined): string {
  if (order === undefined) return '…';
  return order.quote === null ? 'Not known now' : formatMoney(order.quote.amount);
}

function Prices({ model }: { readonly model: CatalogModel }) {
  const { components, minimum } = model.pricing;
  const { route_cost: cost } = model;
  return (
    <Panel
      title={PRICES}
      hint={[
        'An order costs the sum of the lines that apply to it.',
        minimum === null ? '' : `An order costs at least ${formatMoney(minimum)}.`,
        cost === null ? '' : `It costs at least what ${cost.engine} charges this service.`,
      ].join(' ')}
      flush
    >
      <DataTable
        label={PRICES}
        rows={components}
        rowKey={(line) => JSON.stringify(line)}
        columns={[
          { head: 'If', phone: 'title', cell: conditionsOf },
          { head: 'For each', phone: 'note', cell: unitOf },
          ...(components.some(({ sources }) => sources !== undefined) ? [SOURCES] : []),
          { head: 'Price', phone: 'aside', numeric: true, cell: ({ amount }) => formatMoney(amount) },
        ]}
      />
    </Panel>
  );
}

const SOURCES = { head: 'Stated by', phone: 'fact', cell: sourcesOf } as const;

/** Returns who states a price of the vendor and when that was read; empty if nobody does. */
function sourcesOf({ sources = [] }: CatalogModel['pricing']['components'][number]): string {
  return sources.map(({ source, as_of: read }) => `${source} (${read})`).join('; ');
}

function unitOf({ per, formula }: CatalogModel['pricing']['components'][number]): string {
  return formula === undefined ? (UNITS[per] ?? per.replaceAll('_', ' ')) : FORMULAS[formula.name];
}

function Limits({ model }: { readonly model: CatalogModel }) {
  const { media, main, further } = orderOfFields(model);
  const names = ['prompt', ...media, ...main, ...further].filter((name) => name in model.parameters);
  const rules = [...model.constraints.map(({ message }) => message), ...(model.notes ?? [])];
  return (
    <Panel title={LIMITS} hint={requiredBy(model)} flush>
      <DataTable
        label={LIMITS}
        rows={names}
        rowKey={(name) => name}
        columns={[
          { head: 'Field', phone: 'title', cell: fieldLabel },
          { head: 'Accepts', phone: 'note', cell: (name) => acceptedBy(model, name) },
          {
            head: 'Default',
            phone: 'fact',
            cell: (name) => valueText(model.default_config[name] ?? null) || 'none',
          },
        ]}
      />
      {rules.length > 0 && (
        <ul className={classes.rules} aria-label="Rules and notes">
          {rules.map((rule) => (
            <li key={rule}>{rule}</li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

const EXAMPLE_URL = 'https://example.com/input';

/** Returns the conditions of a line of the price table: `Resolution: 1080p, With sound: yes`. */
function conditionsOf({ when = {}, units, at_least: least, description }: PriceComponent): string {
  const conditions = Object.entries(when).map(
    ([name, condition]) => `${fieldLabel(name)}: ${conditionText(condition)}`,
  );
  const further = [
    description ?? (units === undefined ? undefined : unitsText(units.from, units.to)),
    least === undefined ? undefined : `at least ${least.output_seconds} times the output’s seconds`,
  ].filter((text) => text !== undefined);
  return [...conditions, ...further].join(', ') || 'Always';
}

function unitsText(from: number, to: number | undefined): string {
  if (to === undefined) return from === 2 ? 'each further one' : `from number ${from} on`;
  if (from === 1) return to === 1 ? 'the first one' : `the first ${to}`;
  return from === to ? `number ${from}` : `numbers ${from} to ${to}`;
}

function conditionText(condition: Condition): string {
  if (typeof condition !== 'object') return valueText(condition);
  if ('length' in condition) return condition.map(valueText).join(' or ');
  if ('present' in condition) return condition.present ? 'given' : 'not given';
  if ('not' in condition) return `not ${condition.not.map(valueText).join(' or ')}`;
  return boundsText(condition);
}

function boundsText(bounds: Partial<Record<keyof typeof BOUNDS, number | undefined>>): string {
  return Object.entries(BOUNDS)
    .flatMap(([name, word]) => {
      const bound = bounds[name as keyof typeof BOUNDS];
      return bound === undefined ? [] : [`${word} ${formatCount(bound)}`];
    })
    .join(' and ');
}

/** Returns the values that a field accepts: `1:1, 16:9`, `up to 4 images`, `3 to 10`. */
function acceptedBy(model: CatalogModel, name: string): string {
  const media = mediaParameter(model, name);
  if (media !== null) return `${media.most === 1 ? '' : 'up to '}${formatMany(media.most, MEDIA[media.kind])}`;
  const { enum: values, type, minimum, maximum, description } = model.parameters[name] ?? {};
  if (values !== undefined) return values.map(valueText).join(', ');
  if (type === 'boolean') return [true, false].map(valueText).join(' or ');
  if (minimum !== undefined || maximum !== undefined) return boundsText({ min: minimum, max: maximum });
  const { max, unit } = model.limits[name] ?? {};
  if (max !== undefined && unit !== undefined) return `up to ${formatCount(max)} ${unit}`;
  return description ?? 'any value';
}

function valueText(value: JsonValue): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return formatCount(value);
  return typeof value === 'string' ? featureLabel(value) : JSON.stringify(value);
}

/** Returns the lists of fields of which an order needs one: `Required: prompt or reference images.` */
function requiredBy({ required }: CatalogModel): string {
  const lists = required.map((list) => list.map(fieldLabelInSentence).join(' and '));
  return lists.length === 0 ? '' : `Required: ${lists.join(' or ')}.`;
}

/** Returns a minimal order as an example. */
function leastOrder(model: CatalogModel, prompt: string): Values {
  const names = model.required[0] ?? ['prompt'];
  return Object.fromEntries(
    names.map((name) => {
      const media = mediaParameter(model, name);
      return [name, media === null ? prompt : media.list ? [EXAMPLE_URL] : EXAMPLE_URL];
    }),
  );
}
