import { Alert, Button, Collapse, Kbd, Stack, Text, Textarea, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconAdjustmentsHorizontal, IconChevronDown, IconWand } from '@tabler/icons-react';
import { type KeyboardEvent, Suspense, useEffect, useState } from 'react';
import { type BrokenRule, brokenRules } from '../../api/constraints.ts';
import { type CatalogModel, type JsonValue, mediaParameter } from '../../api/model.ts';
import { useSession } from '../../api/session.ts';
import { MediaField, sourcesOf } from '../../components/fields/media-field.tsx';
import { ParameterField } from '../../components/fields/parameter-field.tsx';
import { lazyPart } from '../../frame/lazy-part.ts';
import { fieldLabel, studioTexts } from '../../texts/studio.ts';
import { bodyOf, setModel, setValue, useDraft } from './draft.ts';
import { isDelayed } from './filter-models.ts';
import { missingFor, orderOfFields } from './form-fields.ts';
import { ModelButton } from './model-card.tsx';
import { OrderFault } from './order-fault.tsx';
import { PriceTag } from './price-tag.tsx';
import { SimulateFields } from './simulate-fields.tsx';
import classes from './studio.module.css';
import type { Ordering } from './use-ordering.ts';
import { useQuote } from './use-quote.ts';

const ModelGallery = lazyPart(async () => (await import('./model-gallery.tsx')).ModelGallery);
const MaskPainter = lazyPart(async () => (await import('../../components/mask-painter.tsx')).MaskPainter);

/** For those who fill it from elsewhere and lead there. */
export const PROMPT_ID = 'prompt';

/** The form of an order, drawn from what the model takes, with its price and the button that places it. */
export function Composer({ model, ordering }: { readonly model: CatalogModel; readonly ordering: Ordering }) {
  const draft = useDraft();
  const { mode } = useSession();
  const [choosing, setChoosing] = useState(false);
  const [more, setMore] = useState(false);
  const [painting, setPainting] = useState(false);
  const { values } = draft;
  const broken = brokenRules(model, values);
  const { quote, refusal, pending } = useQuote(bodyOf(draft), broken.length === 0);
  const { main, media, further } = orderOfFields(model);
  const missing = missingFor(model, values);
  const faultOf = (name: string) => {
    const details = [...(ordering.refusal?.details ?? []), ...(broken.length === 0 ? (refusal?.details ?? []) : [])];
    return details.find(({ param }) => param === name || param?.startsWith(`${name}[`))?.message;
  };
  const unplaced =
    refusal !== null &&
    broken.length === 0 &&
    !refusal.details.some(({ param }) => param !== null && param in model.parameters);
  const blocked = broken.length > 0 || missing !== null;
  const submit = () => {
    if (!blocked && !ordering.isPending) ordering.place(model, draft);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
  };
  const [announced] = useDebouncedValue(quote?.amount, 1_200);
  const maskGround = sourcesOf(values.image_urls ?? values.first_frame_url ?? null)[0];
  const field = (name: string) => (
    <ParameterField
      key={`${model.model_id} ${name}`}
      name={name}
      schema={model.parameters[name] ?? {}}
      value={values[name] ?? null}
      onChange={(value) => setValue(name, value)}
      fault={faultOf(name)}
      model={model}
      values={values}
    />
  );

  // For whoever measures how soon an order can be written.
  useEffect(() => void performance.mark('darkroom.usable'), []);

  return (
    <section className={classes.composer} aria-label={studioTexts.compose} onKeyDown={onKeyDown}>
      <div className={classes.form}>
        <ModelButton model={model} onClick={() => setChoosing(true)} />
        {isDelayed(model, mode) && (
          <Alert variant="light" color="safelight" p="sm" role="status">
            <Text size="sm">{studioTexts.model.delayedWhy}</Text>
          </Alert>
        )}
        {'prompt' in model.parameters && (
          <PromptField model={model} value={values.prompt ?? null} fault={faultOf('prompt')} />
        )}
        {media.length > 0 && (
          <div className={classes.media}>
            {media.map((name, place) => {
              const parameter = mediaParameter(model, name);
              return parameter === null ? null : (
                <MediaField
                  key={`${model.model_id} ${name}`}
                  name={name}
                  media={parameter}
                  description={model.parameters[name]?.description}
                  value={values[name] ?? null}
                  onChange={(value) => setValue(name, value)}
                  fault={faultOf(name)}
                  catchesPaste={place === 0}
                  onPaint={parameter.role === 'mask' && maskGround !== undefined ? () => setPainting(true) : undefined}
                />
              );
            })}
          </div>
        )}
        {main.map(field)}
        {further.length > 0 && (
          <>
            <UnstyledButton className={classes.more} onClick={() => setMore(!more)} aria-expanded={more}>
              <IconAdjustmentsHorizontal size={17} stroke={1.6} aria-hidden="true" />
              {more ? studioTexts.fewer : studioTexts.more}
              <IconChevronDown size={16} aria-hidden="true" className={classes.chevron} data-open={more || undefined} />
            </UnstyledButton>
            <Collapse expanded={more}>
              <Stack gap="lg">
                {further.map(field)}
                {mode === 'test' && <SimulateFields />}
              </Stack>
            </Collapse>
          </>
        )}
      </div>
      <div className={classes.placing}>
        {broken.map((rule) => (
          <BrokenRuleNote key={rule.message} rule={rule} />
        ))}
        {unplaced && refusal !== null && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {refusal.message}
          </Text>
        )}
        <OrderFault ordering={ordering} />
        <div className={classes.placeRow}>
          <PriceTag quote={quote} pending={pending} />
          <Button
            size="md"
            className={classes.create ?? ''}
            leftSection={<IconWand size={18} />}
            onClick={submit}
            loading={ordering.isPending}
            disabled={blocked}
          >
            {studioTexts.create}
          </Button>
        </div>
        <Text size="xs" c="dimmed" className={classes.hint ?? ''}>
          {broken.length > 0 ? null : missing === null ? (
            <>
              <Kbd size="xs">Ctrl</Kbd> <Kbd size="xs">Enter</Kbd> {studioTexts.shortcut}
            </>
          ) : (
            missing
          )}
        </Text>
        <output className="visually-hidden">
          {announced === undefined ? '' : `${studioTexts.price.label} ${announced}`}
        </output>
      </div>
      <Suspense>
        {choosing && (
          <ModelGallery
            chosen={model.model_id}
            onClose={() => setChoosing(false)}
            onChoose={(chosen) => {
              setModel(chosen);
              setChoosing(false);
            }}
          />
        )}
        {painting && maskGround !== undefined && (
          <MaskPainter
            source={maskGround}
            onClose={() => setPainting(false)}
            onPainted={(mask) => setValue('mask_url', mask)}
          />
        )}
      </Suspense>
    </section>
  );
}

function PromptField({
  model,
  value,
  fault,
}: {
  readonly model: CatalogModel;
  readonly value: JsonValue;
  readonly fault: string | undefined;
}) {
  const text = typeof value === 'string' ? value : '';
  const limit = model.limits.prompt;
  const isLong = limit?.unit === 'characters' && limit.max !== undefined && text.length > limit.max * 0.8;
  return (
    <Textarea
      id={PROMPT_ID}
      label={studioTexts.fields.prompt}
      placeholder={studioTexts.promptPlaceholder[model.type]}
      value={text}
      onChange={({ currentTarget }) => setValue('prompt', currentTarget.value === '' ? null : currentTarget.value)}
      autosize
      minRows={4}
      maxRows={14}
      size="md"
      error={fault}
      description={isLong ? studioTexts.characters(text.length, limit?.max ?? 0) : undefined}
    />
  );
}

function BrokenRuleNote({ rule: { message, fix } }: { readonly rule: BrokenRule }) {
  return (
    <Alert variant="light" color="safelight" p="sm" role="alert">
      <Text size="sm">{message}</Text>
      {fix !== null && (
        <Button variant="default" size="xs" mt={8} onClick={() => setValue(fix.name, fix.value)}>
          {fix.value === null
            ? studioTexts.leaveOut(fieldLabel(fix.name).toLowerCase())
            : studioTexts.fix(fieldLabel(fix.name).toLowerCase(), String(fix.value))}
        </Button>
      )}
    </Alert>
  );
}
