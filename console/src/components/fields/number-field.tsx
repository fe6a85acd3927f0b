import { Group, NumberInput, Slider } from '@mantine/core';
import { IconDice5 } from '@tabler/icons-react';
import { studioTexts } from '../../texts/studio.ts';
import { IconButton } from '../icon-button.tsx';
import { FieldFrame, type ParameterFieldProps } from './field-frame.tsx';

const SLIDER_STEPS = 200;

/** A number, with a slider if its range is small, and a random button if it is a seed. */
export function NumberField({
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
