import { Group, NumberInput, Select, Stack, Switch, Text } from '@mantine/core';
import { Small } from '../../components/words.ts';
import { optionTexts } from '../../texts/options.ts';
import { setExplain, setSimulate, useDraft } from './draft.ts';

const FIRST_SECONDS = 2;
const texts = optionTexts.simulate;

/** With a test key: the simulated outcome. */
export function SimulateFields() {
  const { simulate, explain } = useDraft();
  return (
    <Stack gap={6}>
      <Text size="sm" fw={500}>
        {texts.title}
      </Text>
      <Small>{texts.hint}</Small>
      <Group grow align="flex-end" preventGrowOverflow={false} wrap="nowrap">
        <Select
          label={texts.outcome}
          data={Object.entries(texts.outcomes).map(([value, label]) => ({ value, label }))}
          value={simulate?.outcome ?? null}
          onChange={(outcome) =>
            setSimulate(outcome === null ? null : { outcome, seconds: simulate?.seconds ?? FIRST_SECONDS })
          }
          placeholder={texts.off}
          clearable
        />
        {simulate !== null && (
          <NumberInput
            label={texts.seconds}
            min={0}
            max={3600}
            value={simulate.seconds}
            onChange={(seconds) => setSimulate({ ...simulate, seconds: Number(seconds) || 0 })}
            maw={120}
          />
        )}
      </Group>
      <Switch
        label={texts.explain}
        checked={explain}
        onChange={({ currentTarget }) => setExplain(currentTarget.checked)}
        mt={8}
      />
    </Stack>
  );
}
