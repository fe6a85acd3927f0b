import { Button, Collapse, Group, Stack, UnstyledButton } from '@mantine/core';
import {
  IconAdjustmentsHorizontal,
  IconBookmark,
  IconChevronDown,
  IconCode,
  IconLayoutGrid,
} from '@tabler/icons-react';
import { type ReactNode, Suspense, useState } from 'react';
import { Link } from 'wouter';
import { type CatalogModel, mediaParameter } from '../../api/model.ts';
import { useSession } from '../../api/session.ts';
import { MediaField, sourcesOf } from '../../components/fields/media-field.tsx';
import { ParameterField } from '../../components/fields/parameter-field.tsx';
import { lazyPart } from '../../components/lazy-part.ts';
import { CodePanel } from './code-panel.tsx';
import { setValue, useDraft } from './draft.ts';
import { orderOfFields } from './form-fields.ts';
import classes from './make.module.css';
import { OptionsFields, PriceLimit, SimulateFields } from './options-fields.tsx';
import type { OrderOptions } from './order-options.ts';
import { varyOrder } from './table/draft.ts';

const SavedDialog = lazyPart(async () => (await import('./saved-dialog.tsx')).SavedDialog);
const MaskEditor = lazyPart(async () => (await import('../../components/mask-editor.tsx')).MaskEditor);

const SUBTLE = { size: 'compact-sm', variant: 'subtle', color: 'gray' } as const;

/** The fields of the form below the prompt: media, settings of the model, and options of the order. */
export function FormRest({
  model,
  optionCount,
  faultOf,
  faultOfOption,
}: {
  readonly model: CatalogModel;
  /** Number of set options for developers. */
  readonly optionCount: number;
  readonly faultOf: (name: string) => string | undefined;
  readonly faultOfOption: (option: keyof OrderOptions) => string | undefined;
}) {
  const draft = useDraft();
  const { values } = draft;
  const { mode } = useSession();
  const [choosing, setChoosing] = useState(false);
  const [painting, setPainting] = useState(false);
  const { main, media, further } = orderOfFields(model);
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
  return (
    <>
      <Group gap={4} className={classes.ways ?? ''}>
        <Button
          {...SUBTLE}
          leftSection={<IconBookmark size={16} aria-hidden="true" />}
          onClick={() => setChoosing(true)}
        >
          Presets and prompts
        </Button>
        <Button
          {...SUBTLE}
          leftSection={<IconLayoutGrid size={16} aria-hidden="true" />}
          component={Link}
          href="/light"
          onClick={() => varyOrder(model, values)}
        >
          Several at once
        </Button>
      </Group>
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
      <Fold label="More settings" icon={<IconAdjustmentsHorizontal size={17} stroke={1.6} aria-hidden="true" />}>
        {further.map(field)}
        <PriceLimit fault={faultOfOption('maxPrice')} />
      </Fold>
      <Fold
        label="For developers"
        icon={<IconCode size={17} stroke={1.6} aria-hidden="true" />}
        note={optionCount > 0 ? `${optionCount} set` : undefined}
      >
        <OptionsFields faultOf={faultOfOption} />
        {mode === 'test' && <SimulateFields />}
        <CodePanel model={model} draft={draft} />
      </Fold>
      <Suspense>
        {choosing && <SavedDialog model={model} onClose={() => setChoosing(false)} />}
        {painting && maskGround !== undefined && (
          <MaskEditor
            source={maskGround}
            onClose={() => setPainting(false)}
            onDone={(mask) => setValue('mask_url', mask)}
          />
        )}
      </Suspense>
    </>
  );
}

/** A collapsible part of the form. */
function Fold({
  label,
  icon,
  note,
  children,
}: {
  readonly label: string;
  readonly icon: ReactNode;
  /** A summary, shown while the part is closed. */
  readonly note?: string | undefined;
  readonly children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div>
      <UnstyledButton className={classes.more} onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
        {icon}
        {label}
        {!isOpen && note !== undefined && <span className={classes.note}>{note}</span>}
        <IconChevronDown size={16} aria-hidden="true" className={classes.chevron} data-open={isOpen || undefined} />
      </UnstyledButton>
      <Collapse expanded={isOpen}>
        <Stack gap="lg" pt="md">
          {children}
        </Stack>
      </Collapse>
    </div>
  );
}
