import type { JsonValue } from '@darkroom-service/contract/json';
import { IconArrowForwardUp } from '@tabler/icons-react';
import { useLocation } from 'wouter';
import { recalledStore } from '../../api/recalled.ts';
import { IconButton } from '../../components/icon-button.tsx';
import { historyTexts } from '../../texts/history.ts';
import { fieldLabel } from '../../texts/studio-labels.ts';

/** Takes one value of an order, such as only its seed, over into the Studio's form, if the model there has it. */
export function RecallButton({ name, value }: { readonly name: string; readonly value: JsonValue }) {
  const [, navigate] = useLocation();
  const recall = () => {
    recalledStore.set({ name, value });
    navigate('/');
  };
  return (
    <IconButton label={historyTexts.detail.recall(fieldLabel(name))} size={28} onClick={recall}>
      <IconArrowForwardUp size={16} />
    </IconButton>
  );
}
