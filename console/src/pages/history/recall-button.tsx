import { ActionIcon, Tooltip } from '@mantine/core';
import { IconArrowForwardUp } from '@tabler/icons-react';
import { useLocation } from 'wouter';
import type { JsonValue } from '../../api/model.ts';
import { recalledStore } from '../../api/recalled.ts';
import { historyTexts } from '../../texts/history.ts';
import { fieldLabel } from '../../texts/studio-labels.ts';

/** Takes one value of an order, such as only its seed, over into the Studio's form, if the model there has it. */
export function RecallButton({ name, value }: { readonly name: string; readonly value: JsonValue }) {
  const [, navigate] = useLocation();
  const label = historyTexts.detail.recall(fieldLabel(name));
  const recall = () => {
    recalledStore.set({ name, value });
    navigate('/');
  };
  return (
    <Tooltip label={label}>
      <ActionIcon size={28} aria-label={label} onClick={recall}>
        <IconArrowForwardUp size={16} />
      </ActionIcon>
    </Tooltip>
  );
}
