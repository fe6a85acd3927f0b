import type { JsonValue } from '@darkroom-service/contract';
import { Alert, Skeleton, Text, Textarea, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconAdjustmentsHorizontal, IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { type KeyboardEvent, Suspense, useEffect, useState } from 'react';
import { Link } from 'wouter';
import { ApiError, type Fault } from '../../api/api-error.ts';
import { brokenRules } from '../../api/constraints.ts';
import type { CatalogModel, Values } from '../../api/model.ts';
import { useSession } from '../../api/session.ts';
import { lazyPart, useLoadedParts } from '../../components/lazy-part.ts';
import orderForm from '../../components/order-form.module.css';
import { VendorMark } from '../../components/vendor-mark.tsx';
import { formatCount } from '../../format.ts';
import { studioTexts } from '../../texts/studio.ts';
import { withFieldLabel } from '../../texts/studio-labels.ts';
import { bodyOf, pricedBody, setModel, setValue, useDraft } from './draft.ts';
import { isDelayed } from './filter-models.ts';
import { missingFor } from './form-fields.ts';
import classes from './model-card.module.css';
import { isOrderKey, useKeptPress } from './order/use-kept-press.ts';
import { OrderingContext, type Refusal, useOrdering } from './order/use-ordering.ts';
import { useQuote } from './order/use-quote.ts';
import { faultsOfOptions, OPTION_NAMES, type OrderOptions, optionFields } from './order-options.ts';
import { rememberPrompt, stepThroughPrompts, usePromptHistory } from './prompt-history.ts';

const ModelGallery = lazyPart(async () => (await import('./model-gallery.tsx')).ModelGallery);
const FormRest = lazyPart(async () => (await import('./form-rest.tsx')).FormRest);
const Placing = lazyPart(async () => (await import('./placing.tsx')).Placing);

/** Parts with the rest of the form, which are loaded by the time the models are. */
const REST = [FormRest, Placing];

/** The id of the prompt field, for components that fill the form and move the focus to it. */
export const PROMPT_ID = 'prompt';

/**
 * The order form, by the model's parameters, with price and button. The prompt is there first, so that it can be typed
 * while the models and the rest of the form load.
 */
export function Composer({
  model,
}: {
  /** Undefined while the models load. */
  readonly model: CatalogModel | undefined;
}) {
  const draft = useDraft();
  const ordering = useOrdering();
  const { mode } = useSession();
  const [choosing, setChoosing] = useState(false);
  const [wantsSettings, setWantsSettings] = useState(false);
  const isNarrow = useMediaQuery('(max-width: 62em)', false, { getInitialValueInEffect: false });
  // A mark for the benchmark: the prompt accepts input before anything else is requested.
  useEffect(() => void performance.mark('darkroom.usable'), []);
  const isRestLoaded = useLoadedParts(REST);
  const { values, options } = draft;
  const broken = model === undefined ? [] : brokenRules(model, values);
  const { quote, refusal, pending, failed } = useQuote(
    'POST /v1/prices',
    pricedBody(draft),
    model !== undefined && broken.length === 0,
  );
  const missing = model === undefined ? null : missingFor(model, values);
  const refused = standingRefusal(ordering.refusal, bodyOf(draft, mode));
  const { asked } = ordering;
  const standing = asked === null || asked.isOffer === true || isSameOrder(asked.body, bodyOf(draft, mode));
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
    Object.keys(optionFields({ ...options, maxPrice: '' })).length +
    (mode === 'test' && (draft.simulate !== null || draft.explain) ? 1 : 0);
  const isUnplaced =
    refusal !== null &&
    model !== undefined &&
    broken.length === 0 &&
    !refusal.details.some(({ param }) => param !== null && param in model.parameters);
  const isComplete = broken.length === 0 && missing === null && Object.keys(optionFaults).length === 0;
  const isBlocked = !isComplete || failed || (!pending && quote === undefined) || ordering.unconfirmed !== null;
  const [isKept, submit] = useKeptPress(model !== undefined && isRestLoaded, () => {
    if (model === undefined || isBlocked) return;
    rememberPrompt(String(values.prompt ?? ''));
    const order = { kind: model.type, body: bodyOf(draft, mode), priced: pricedBody(draft) };
    if (!pending && quote !== undefined) ordering.place(order, quote.amount);
    else ordering.press(order, quote?.amount ?? null);
  });
  const hasFaultInside = [...(refused?.error.details ?? []), ...(refusal?.details ?? [])].some(
    ({ param }) => param !== null && param !== 'prompt' && param in (model?.parameters ?? {}),
  );
  const isOpen = wantsSettings || hasFaultInside;
  const setOpen = setWantsSettings;
  const head = (
    <>
      {model === undefined ? (
        <Skeleton height={62} radius={14} aria-hidden="true" />
      ) : (
        <ModelButton model={model} onClick={() => setChoosing(true)} />
      )}
      {model !== undefined && (
        <Text size="sm" mt={isNarrow ? -4 : -14} px={4}>
          <Link href={`/models/${model.model_id}`}>Prices, limits and examples</Link>
        </Text>
      )}
    </>
  );
  return (
    <section
      className={orderForm.composer}
      data-place={model === undefined || !isRestLoaded || undefined}
      aria-label="Your order"
      onKeyDown={(event) => isOrderKey(event) && submit()}
    >
      <div className={orderForm.fields}>
        {!isNarrow && head}
        {model !== undefined && isDelayed(model, mode) && (
          <Alert variant="light" color="safelight" p="sm" role="status">
            <Text size="sm">{studioTexts.model.delayedWhy}</Text>
          </Alert>
        )}
        {(model === undefined || 'prompt' in model.parameters) && (
          <PromptField
            model={model}
            value={values.prompt ?? null}
            fault={faultOf('prompt')}
            isShort={isNarrow && !isOpen}
          />
        )}
        {isKept && (
          <Text size="sm" role="status">
            The form is loading. Your order follows at once.
          </Text>
        )}
        {isNarrow && (
          <UnstyledButton className={classes.settings} onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
            <IconAdjustmentsHorizontal size={17} stroke={1.6} aria-hidden="true" />
            <span className="truncate">Settings{model !== undefined && ` · ${model.name}`}</span>
            <IconChevronDown size={16} aria-hidden="true" />
          </UnstyledButton>
        )}
        {isNarrow && isOpen && head}
        {/* Hidden, not removed: a picture that is pasted lands in its field all the same. */}
        <div className={classes.rest} hidden={isNarrow && !isOpen}>
          <Suspense fallback={<FieldsPlace />}>
            {isRestLoaded && model !== undefined ? (
              <FormRest model={model} optionCount={optionCount} faultOf={faultOf} faultOfOption={faultOfOption} />
            ) : (
              <FieldsPlace />
            )}
          </Suspense>
        </div>
      </div>
      <OrderingContext value={{ ...ordering, refusal: refused, asked: standing ? asked : null }}>
        <Suspense>
          {isRestLoaded && model !== undefined && (
            <Placing
              quote={quote}
              pending={pending}
              broken={broken}
              optionFaults={optionFaults}
              refusal={isUnplaced ? withFieldLabel(refusal.message) : null}
              missing={missing}
              priceFailed={failed}
              isBlocked={isBlocked}
              onCreate={submit}
            />
          )}
        </Suspense>
      </OrderingContext>
      <Suspense>
        {choosing && model !== undefined && (
          <ModelGallery
            chosen={model.model_id}
            onClose={() => setChoosing(false)}
            onChoose={(chosen) => {
              setModel(chosen);
              setChoosing(false);
            }}
          />
        )}
      </Suspense>
    </section>
  );
}

/** Reserves the space of the fields while they load. */
function FieldsPlace() {
  return (
    <>
      <Skeleton height={52} aria-hidden="true" />
      <Skeleton height={90} aria-hidden="true" />
    </>
  );
}

const PLACEHOLDERS = {
  image: 'A lighthouse on a cliff at dusk, waves below',
  video: 'A small boat crosses a calm bay at sunrise, the camera follows slowly',
};

function PromptField({
  model,
  value,
  fault,
  isShort,
}: {
  readonly model: CatalogModel | undefined;
  readonly value: JsonValue;
  readonly fault: string | undefined;
  readonly isShort: boolean;
}) {
  const text = typeof value === 'string' ? value : '';
  const prompts = usePromptHistory();
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const { selectionStart: caret } = event.currentTarget;
    if (event.shiftKey || event.ctrlKey || event.metaKey || event.altKey || caret !== text.length) return;
    const other = stepThroughPrompts(prompts, text, event.key);
    if (other === null) return;
    event.preventDefault();
    setValue('prompt', other === '' ? null : other);
  };
  const limit = model?.limits.prompt;
  const isLong = limit?.unit === 'characters' && limit.max !== undefined && text.length > limit.max * 0.8;
  return (
    <Textarea
      id={PROMPT_ID}
      dir="auto"
      label="Prompt"
      placeholder={PLACEHOLDERS[model?.type ?? 'image']}
      value={text}
      onChange={({ currentTarget }) => setValue('prompt', currentTarget.value === '' ? null : currentTarget.value)}
      onKeyDown={onKeyDown}
      autosize
      minRows={isShort ? 2 : 4}
      maxRows={14}
      size="md"
      labelProps={{ size: 'sm' }}
      error={fault}
      description={isLong ? `${formatCount(text.length)} of ${formatCount(limit?.max ?? 0)} characters` : undefined}
    />
  );
}

/** The chosen model, as a button that opens the gallery. */
function ModelButton({ model, onClick }: { readonly model: CatalogModel; readonly onClick: () => void }) {
  return (
    <UnstyledButton className={classes.button} onClick={onClick}>
      <VisuallyHidden>Model: </VisuallyHidden>
      <VendorMark vendor={model.vendor} />
      <span className={classes.words}>
        <span className={classes.name}>{model.name}</span>
        <span className={`${classes.vendor} truncate`}>{model.vendor}</span>
      </span>
      <IconChevronRight size={18} stroke={1.6} aria-hidden="true" />
    </UnstyledButton>
  );
}

/**
 * Returns the part of a refusal that still applies to the form: errors of fields that were changed since are left out.
 * Null = nothing is left.
 * @param form the order as the form would send it now
 */
function standingRefusal(refusal: Refusal | null, form: Values): Refusal | null {
  if (refusal === null || refusal.isOffer === true) return refusal;
  const { error, body } = refusal;
  const stands = ({ param }: Pick<Fault, 'param'>) => {
    const field = param?.split(/[.[]/)[0];
    return field === undefined || field === 'max_price' || !(field in body || field in form)
      ? isSameOrder(body, form)
      : JSON.stringify(body[field]) === JSON.stringify(form[field]);
  };
  const details = error.details.filter(stands);
  if (error.details.length === 0) return stands(error) ? refusal : null;
  if (details.length === error.details.length) return refusal;
  const [first] = details;
  if (first === undefined) return null;
  return { ...refusal, error: new ApiError({ ...error, message: first.message, details }) };
}

/** Compares two orders. The form has a price limit only if the user set one. */
function isSameOrder(body: Values, form: Values): boolean {
  const names = new Set([...Object.keys(body), ...Object.keys(form)]);
  return [...names].every(
    (name) =>
      JSON.stringify(body[name]) === JSON.stringify(form[name]) || (name === 'max_price' && form[name] === undefined),
  );
}
