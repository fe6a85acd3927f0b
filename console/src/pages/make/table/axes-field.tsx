import { Group, MultiSelect, Select, Stack, TagsInput } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconX } from '@tabler/icons-react';
import type { CatalogModel } from '../../../api/model.ts';
import { SmallButton } from '../../../components/buttons.ts';
import { IconButton } from '../../../components/icon-button.tsx';
import { fieldLabel } from '../../../texts/studio-labels.ts';
import { type Axis, changeDraft } from './draft.ts';
import classes from './table-form.module.css';

/** Fields set elsewhere in the form, or always 1: a cell shows one image. */
const OTHERWISE_SET = ['prompt', 'seed', 'num_images'];

/** The settings that vary, each with its values. A single value applies to all orders. */
export function AxesField({
  models,
  axes,
}: {
  readonly models: readonly CatalogModel[];
  readonly axes: readonly Axis[];
}) {
  const names = settingsOf(models);
  const free = names.filter((name) => !axes.some((axis) => axis.name === name));
  const change = (next: readonly Axis[]) => changeDraft({ axes: next, leftOut: [] });
  const replace = (place: number, axis: Axis) => change(axes.map((one, index) => (index === place ? axis : one)));
  return (
    <Stack gap="sm">
      {axes.map((axis, place) => (
        <div key={axis.name} className={classes.axis}>
          <Select
            label={`Setting ${place + 1}`}
            data={[axis.name, ...free].map((name) => ({ value: name, label: fieldLabel(name) }))}
            value={axis.name}
            onChange={(name) => name !== null && replace(place, { name, values: [] })}
            allowDeselect={false}
            searchable
          />
          <Group gap="xs" align="flex-end" wrap="nowrap">
            <ValuesField models={models} axis={axis} onChange={(values) => replace(place, { ...axis, values })} />
            <IconButton
              label={`Remove ${fieldLabel(axis.name)}`}
              size={36}
              onClick={() => change(axes.filter((_, index) => index !== place))}
            >
              <IconX size={16} />
            </IconButton>
          </Group>
        </div>
      ))}
      {free[0] !== undefined && (
        <SmallButton
          style={{ alignSelf: 'flex-start' }}
          leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden="true" />}
          onClick={() => change([...axes, { name: free[0] ?? '', values: [] }])}
        >
          Vary a setting
        </SmallButton>
      )}
    </Stack>
  );
}

function ValuesField({
  models,
  axis: { name, values },
  onChange,
}: {
  readonly models: readonly CatalogModel[];
  readonly axis: Axis;
  readonly onChange: (values: readonly string[]) => void;
}) {
  const schemas = models.flatMap(({ parameters }) => parameters[name] ?? []);
  const options = [...new Set(schemas.flatMap((schema) => schema.enum ?? []).map(String))];
  const field = {
    className: classes.values ?? '',
    label: 'Values',
    'aria-label': `Values of ${fieldLabel(name)}`,
    placeholder: values.length === 0 ? 'Add a value' : '',
    value: [...values],
    onChange,
  };
  if (schemas.some(({ type }) => type === 'boolean'))
    return (
      <MultiSelect
        {...field}
        data={[
          { value: 'true', label: 'yes' },
          { value: 'false', label: 'no' },
        ]}
      />
    );
  if (options.length > 0) return <MultiSelect {...field} data={options} searchable hidePickedOptions />;
  // Addresses and JSON contain commas.
  const isOneWord = schemas.every(({ type, format }) => format !== 'uri' && type !== 'array' && type !== 'object');
  return <TagsInput {...field} splitChars={isOneWord ? [',', ';'] : []} acceptValueOnBlur />;
}

/** Returns the settings that any of the models has, the most common first. */
function settingsOf(models: readonly CatalogModel[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const name of models.flatMap(({ parameters }) => Object.keys(parameters)))
    if (!OTHERWISE_SET.includes(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts.keys()].sort((left, right) => (counts.get(right) ?? 0) - (counts.get(left) ?? 0));
}
