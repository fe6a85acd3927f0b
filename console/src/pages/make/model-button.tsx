import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import type { CatalogModel } from '../../api/model.ts';
import { formatMoney } from '../../components/money.tsx';
import { VendorMark } from '../../components/vendor-mark.tsx';
import { studioTexts } from '../../texts/studio.ts';
import classes from './model-card.module.css';

const texts = studioTexts.model;

/** The chosen model, as a button that opens the gallery. */
export function ModelButton({ model, onClick }: { readonly model: CatalogModel; readonly onClick: () => void }) {
  return (
    <UnstyledButton className={classes.button} onClick={onClick}>
      <VisuallyHidden>{texts.label}: </VisuallyHidden>
      <VendorMark vendor={model.vendor} />
      <span className={classes.words}>
        <span className={classes.name}>{model.name}</span>
        <span className={`${classes.vendor} truncate`}>
          {model.vendor} · {texts.from} {formatMoney(model.pricing.from)}
        </span>
      </span>
      <IconChevronRight size={18} stroke={1.6} aria-hidden="true" />
    </UnstyledButton>
  );
}
