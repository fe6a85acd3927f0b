import { Group, NumberInput, Select, Slider, Stack, Switch, Textarea, TextInput, Tooltip } from '@mantine/core';
import { IconDice5 } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { brokenBy } from '../../api/constraints.ts';
import { studioTexts } from '../../texts/studio.ts';
import { fieldLabel } from '../../texts/studio-labels.ts';
import classes from '../choice.module.css';
import { IconButton } from '../icon-button.tsx';
import { Small } from '../words.tsx';
import { FieldFrame, FieldLabel, type ParameterFieldProps } from './field-frame.tsx';

/** Maximum side of a ratio's shape, in pixels. */
const BOX = 14;
const CHIPS_AT_MOST = 8;
const CHIP_CHARACTERS = 60;
const SLIDER_STEPS = 200;
const USUAL_RATIOS = ['auto', 'adaptive', '1:1', '4:3', '3:4', '3:2', '2:3', '16:9', '9:16'];

/** The control for one parameter, by its schema. Media and prompts have separate controls. */
export function ParameterField(props: ParameterFieldProps) {
  const { name, schema, value, onChange, fault } = props;
  const label = fieldLabel(name);
  if (schema.enum !== undefined) return <EnumField {...props} options={schema.enum} />;
  if (schema.type === 'boolean') {
    return (
      <Switch
        label={<FieldLabel label={label} help={schema.description} />}
        aria-label={label}
        checked={(value ?? schema.default) === true}
        onChange={({ currentTarget }) =>
          onChange(currentTarget.checked === (schema.default === true) ? null : currentTarget.checked)
        }
        error={fault}
      />
    );
  }
  if (schema.type === 'integer' || schema.type === 'number') return <NumberField {...props} label={label} />;
  if (schema.type === 'string') {
    return (
      <TextInput
        dir="auto"
        label={<FieldLabel label={label} help={schema.description} />}
        aria-label={label}
        value={typeof value === 'string' ? value : ''}
        placeholder={studioTexts.placeholders[name]}
        onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? null : currentTarget.value)}
        error={fault}
      />
    );
  }
  return <JsonField {...props} label={label} />;
}

function EnumField({
  name,
  schema,
  value,
  onChange,
  fault,
  required = false,
  model,
  values,
  options,
}: ParameterFieldProps & { readonly options: readonly (string | number)[] }) {
  const label = fieldLabel(name);
  const shown = (value ?? schema.default ?? null) as string | number | null;
  const choose = (next: string | number) => onChange(next === schema.default ? null : next);
  const objection = (option: string | number) =>
    model === undefined || values === undefined ? undefined : brokenBy(model, values, name, option)?.message;
  const isRatio = name === 'aspect_ratio';
  const chosen = (next: string | number) => (next === '' ? onChange(null) : choose(next));
  const hasNoDefault = (schema.default ?? null) === null && !required;
  const [usual, seldom] = isRatio ? splitRatios(options) : [options, []];
  if (isRatio || (options.length <= CHIPS_AT_MOST && options.join('').length <= CHIP_CHARACTERS)) {
    const toChip = (option: string | number) => ({
      value: option,
      objection: objection(option),
      label: isRatio ? <RatioShape ratio={String(option)} /> : wording(option),
    });
    const chips = usual.map(toChip);
    const free = { value: '', label: studioTexts.modelDefault, objection: undefined };
    return (
      <FieldFrame label={label} description={schema.description} fault={fault}>
        <Choice<string | number>
          label={label}
          options={hasNoDefault ? [free, ...chips] : chips}
          further={seldom.map(toChip)}
          value={shown ?? (hasNoDefault ? '' : null)}
          onChange={chosen}
        />
      </FieldFrame>
    );
  }
  const byText = new Map(options.map((option) => [String(option), option]));
  return (
    <Select
      label={<FieldLabel label={label} help={schema.description} />}
      aria-label={label}
      data={options.map((option) => ({ value: String(option), label: wording(option) }))}
      value={shown === null ? null : String(shown)}
      onChange={(text) => {
        const option = text === null ? undefined : byText.get(text);
        if (option === undefined) onChange(null);
        else choose(option);
      }}
      placeholder={studioTexts.modelDefault}
      clearable={hasNoDefault}
      searchable={options.length > 12}
      error={fault}
      renderOption={({ option }) => {
        const known = byText.get(option.value);
        const objected = known === undefined ? undefined : objection(known);
        return (
          <Stack gap={2}>
            {option.label}
            {objected !== undefined && <Small>{objected}</Small>}
          </Stack>
        );
      }}
    />
  );
}

/** Splits the ratios into common and rare ones. */
function splitRatios(options: readonly (string | number)[]): [(string | number)[], (string | number)[]] {
  if (options.length <= USUAL_RATIOS.length) return [[...options], []];
  const isUsual = (option: string | number) => USUAL_RATIOS.includes(String(option));
  return [options.filter(isUsual), options.filter((option) => !isUsual(option))];
}

function wording(option: string | number): string {
  return typeof option === 'number' ? String(option) : option.replaceAll('_', ' ');
}

/** A ratio such as `16:9` with its shape before it; words such as `auto` stand alone. */
function RatioShape({ ratio }: { readonly ratio: string }) {
  const [width, height] = ratio.split(':').map(Number);
  if (width === undefined || height === undefined || !(width > 0) || !(height > 0)) return <span>{ratio}</span>;
  const scale = BOX / Math.max(width, height);
  const [w, h] = [Math.max(3, width * scale), Math.max(3, height * scale)];
  return (
    <span style={{ display: 'inline-flex', gap: 7, alignItems: 'center' }}>
      <svg width={BOX + 2} height={BOX + 2} aria-hidden="true">
        <rect
          x={(BOX + 2 - w) / 2}
          y={(BOX + 2 - h) / 2}
          width={w}
          height={h}
          rx={1.5}
          fill="none"
          stroke="currentColor"
          strokeWidth={1.4}
        />
      </svg>
      {ratio}
    </span>
  );
}

/** A JSON editor for parameters without a special control. */
function JsonField({ schema, value, onChange, fault, label }: ParameterFieldProps & { readonly label: string }) {
  const [text, setText] = useState(value === null ? '' : JSON.stringify(value));
  const [malformed, setMalformed] = useState(false);
  const read = (next: string) => {
    setText(next);
    try {
      onChange(next.trim() === '' ? null : JSON.parse(next));
      setMalformed(false);
    } catch {
      setMalformed(true);
    }
  };
  return (
    <Textarea
      label={<FieldLabel label={`${label} (JSON)`} help={schema.description} />}
      aria-label={label}
      value={text}
      onChange={({ currentTarget }) => read(currentTarget.value)}
      error={malformed ? 'This is not valid JSON.' : fault}
      placeholder={schema.type === 'array' ? '[ ]' : '{ }'}
      autosize
      minRows={1}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.8125rem' } }}
    />
  );
}

interface ChoiceOption<T extends string | number> {
  readonly value: T;
  readonly label: ReactNode;
  /** Reason why the option conflicts with the other settings; it can still be chosen. */
  readonly objection?: string | undefined;
}

/** A radio group that looks like chips. */
function Choice<T extends string | number>({
  label,
  options,
  further = [],
  value,
  onChange,
}: {
  readonly label: string;
  readonly options: readonly ChoiceOption<T>[];
  /** Options behind a button, also shown while one of them is chosen. */
  readonly further?: readonly ChoiceOption<T>[];
  readonly value: T | null;
  readonly onChange: (value: T) => void;
}) {
  const name = useId();
  const [open, setOpen] = useState(false);
  const isOpen = open || further.some((option) => option.value === value);
  return (
    <fieldset className={classes.group}>
      <legend className="visually-hidden">{label}</legend>
      {(isOpen ? [...options, ...further] : options).map((option) => (
        <Tooltip key={option.value} label={option.objection} disabled={option.objection === undefined}>
          <label className={classes.option} data-objected={option.objection !== undefined || undefined}>
            <input
              type="radio"
              className={classes.input}
              name={name}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.label}
            {option.objection !== undefined && <span className="visually-hidden">. {option.objection}</span>}
          </label>
        </Tooltip>
      ))}
      {further.length > 0 && !isOpen && (
        <button type="button" className={classes.more} onClick={() => setOpen(true)}>
          {further.length} more
        </button>
      )}
    </fieldset>
  );
}

/** A number, with a slider if its range is small, and a random button if it is a seed. */
function NumberField({
  name,
  schema,
  value,
  onChange,
  fault,
  label,
}: ParameterFieldProps & { readonly label: string }) {
  const { minimum, maximum, type } = schema;
  const isWhole = type === 'integer';
  const step = schema.multipleOf ?? (isWhole ? 1 : 0.05);
  const fallback = typeof schema.default === 'number' ? schema.default : null;
  const shown = typeof value === 'number' ? value : fallback;
  const set = (next: number | string) => onChange(typeof next !== 'number' || next === fallback ? null : next);
  const input = (
    <NumberInput
      {...(minimum === undefined ? {} : { min: minimum })}
      {...(maximum === undefined ? {} : { max: maximum })}
      step={step}
      allowDecimal={!isWhole}
      value={shown ?? ''}
      onChange={set}
      placeholder={name === 'seed' ? 'Random' : studioTexts.modelDefault}
      aria-label={label}
      clampBehavior="blur"
      hideControls={name === 'seed'}
    />
  );
  const isSeed = name === 'seed';
  const roll = () => onChange(Math.floor(Math.random() * Math.min(maximum ?? 4_294_967_295, 4_294_967_295)));
  const isSmall =
    !isSeed && minimum !== undefined && maximum !== undefined && (maximum - minimum) / step <= SLIDER_STEPS;
  return (
    <FieldFrame label={label} description={schema.description} fault={fault}>
      <Group gap={isSeed ? 'xs' : 'md'} wrap="nowrap">
        {isSmall && (
          <Slider
            style={{ flex: 1 }}
            min={minimum}
            max={maximum}
            step={step}
            value={shown ?? minimum}
            onChange={set}
            label={null}
            thumbLabel={label}
            size={4}
          />
        )}
        <div style={isSmall ? { width: 96 } : { flex: 1 }}>{input}</div>
        {isSeed && (
          <IconButton label="Choose a random seed" size={36} variant="default" onClick={roll}>
            <IconDice5 size={18} stroke={1.6} />
          </IconButton>
        )}
      </Group>
    </FieldFrame>
  );
}
