import { Alert, Stack, Text, Textarea } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconTag } from '@tabler/icons-react';
import { type KeyboardEvent, Suspense, useEffect, useState } from 'react';
import { brokenRules } from '../../api/constraints.ts';
import { type CatalogModel, type JsonValue, mediaParameter } from '../../api/model.ts';
import { useSession } from '../../api/session.ts';
import { MediaField, sourcesOf } from '../../components/fields/media-field.tsx';
import { ParameterField } from '../../components/fields/parameter-field.tsx';
import { lazyPart } from '../../components/lazy-part.ts';
import { optionTexts } from '../../texts/options.ts';
import { studioTexts, withFieldLabel } from '../../texts/studio.ts';
import { bodyOf, pricedBody, setModel, setValue, useDraft } from './draft.ts';
import { isDelayed } from './filter-models.ts';
import { Fold } from './fold.tsx';
import { missingFor, orderOfFields } from './form-fields.ts';
import { ModelButton } from './model-card.tsx';
import { OptionsFields } from './options-fields.tsx';
import { faultsOfOptions, OPTION_NAMES, type OrderOptions, optionFields } from './order-options.ts';
import { Placing } from './placing.tsx';
import { SimulateFields } from './simulate-fields.tsx';
import { standingRefusal } from './standing-refusal.ts';
import classes from './studio.module.css';
import type { Ordering } from './use-ordering.ts';
import { useQuote } from './use-quote.ts';

const ModelGallery = lazyPart(async () => (await import('./model-gallery.tsx')).ModelGallery);
const MaskEditor = lazyPart(async () => (await import('../../components/mask-editor.tsx')).MaskEditor);

/** The id of the prompt field, for components that fill the form and move the focus to it. */
export const PROMPT_ID = 'prompt';

/** The order form, by the model's parameters, with price and button. */
export function Composer({ model, ordering }: { readonly model: CatalogModel; readonly ordering: Ordering }) {
  const draft = useDraft();
  const { mode } = useSession();
  const [choosing, setChoosing] = useState(false);
  const [painting, setPainting] = useState(false);
  const { values, options } = draft;
  const broken = brokenRules(model, values);
  const { quote, refusal, pending, failed } = useQuote(pricedBody(draft), broken.length === 0);
  const { main, media, further } = orderOfFields(model);
  const missing = missingFor(model, values);
  const refused = standingRefusal(ordering.refusal, bodyOf(draft, mode));
  const faultOf = (name: string) => {
    const details = [...(refused?.error.details ?? []), ...(broken.length === 0 ? (refusal?.details ?? []) : [])];
    const fault = details.find(
      ({ param }) => param === name || param?.startsWith(`${name}[`) || param?.startsWith(`${name}.`),
    );
    return fault === undefined ? undefined : withFieldLabel(fault.message);
  };
  const optionFaults = faultsOfOptions(options, quote?.amount);
  const faultOfOption = (option: keyof OrderOptions) => optionFaults[option] ?? faultOf(OPTION_NAMES[option]);
  const optionCount =
    Object.keys(optionFields(options)).length + (mode === 'test' && (draft.simulate !== null || draft.explain) ? 1 : 0);
  const isUnplaced =
    refusal !== null &&
    broken.length === 0 &&
    !refusal.details.some(({ param }) => param !== null && param in model.parameters);
  const isComplete = broken.length === 0 && missing === null && Object.keys(optionFaults).length === 0;
  // Orders only at the price shown for exactly this form.
  const price = pending ? undefined : quote?.amount;
  const isBlocked = !isComplete || price === undefined || ordering.unconfirmed !== null;
  const submit = () => {
    if (isBlocked || price === undefined || ordering.isPending) return;
    ordering.place(model.type, bodyOf(draft, mode), price);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
  };
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

  // A mark for the benchmark of the time to interactive.
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
                  onPaintMask={
                    parameter.role === 'mask' && maskGround !== undefined ? () => setPainting(true) : undefined
                  }
                />
              );
            })}
          </div>
        )}
        {main.map(field)}
        {further.length > 0 && (
          <Fold
            label={{ open: studioTexts.fewer, closed: studioTexts.more }}
            icon={<IconAdjustmentsHorizontal size={17} stroke={1.6} aria-hidden="true" />}
          >
            <Stack gap="lg">{further.map(field)}</Stack>
          </Fold>
        )}
        <Fold
          label={{ open: optionTexts.title, closed: optionTexts.title }}
          icon={<IconTag size={17} stroke={1.6} aria-hidden="true" />}
          note={optionCount > 0 ? optionTexts.set(optionCount) : undefined}
        >
          <Stack gap="lg">
            <OptionsFields faultOf={faultOfOption} />
            {mode === 'test' && <SimulateFields />}
          </Stack>
        </Fold>
      </div>
      <Placing
        quote={quote}
        pending={pending}
        broken={broken}
        optionFaults={optionFaults}
        refusal={isUnplaced ? withFieldLabel(refusal.message) : null}
        missing={missing}
        priceFailed={failed}
        isBlocked={isBlocked}
        ordering={{ ...ordering, refusal: refused }}
        onCreate={submit}
      />
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
          <MaskEditor
            source={maskGround}
            onClose={() => setPainting(false)}
            onDone={(mask) => setValue('mask_url', mask)}
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
      dir="auto"
      label={studioTexts.fields.prompt}
      placeholder={studioTexts.promptPlaceholder[model.type]}
      value={text}
      onChange={({ currentTarget }) => setValue('prompt', currentTarget.value === '' ? null : currentTarget.value)}
      autosize
      minRows={4}
      maxRows={14}
      size="md"
      labelProps={{ size: 'sm' }}
      error={fault}
      description={isLong ? studioTexts.characters(text.length, limit?.max ?? 0) : undefined}
    />
  );
}
