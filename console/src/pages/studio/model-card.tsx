import { Badge, Group, UnstyledButton } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { CatalogModel } from '../../api/model.ts';
import { formatMoney } from '../../components/money.tsx';
import { Mark } from '../../components/status-mark.tsx';
import { VendorMark } from '../../components/vendor-mark.tsx';
import { Hint } from '../../components/words.ts';
import { modelTexts } from '../../texts/models.ts';
import { studioTexts } from '../../texts/studio.ts';
import { featureLabel } from '../../texts/studio-labels.ts';
import type { Hindrance } from './filter-models.ts';
import classes from './model-card.module.css';

const FEATURES_SHOWN = 4;
const texts = studioTexts.model;

/** One model of the gallery. */
export function ModelCard({
  model,
  chosen,
  hindrance,
  delayed,
  onChoose,
}: {
  readonly model: CatalogModel;
  readonly chosen: boolean;
  /** Why it cannot be ordered; null if it can. */
  readonly hindrance: Hindrance | null;
  /** Whether orders of it wait for its upstream. */
  readonly delayed: boolean;
  readonly onChoose: () => void;
}) {
  const { supported_features: features, typical_seconds: typical } = model;
  return (
    <div className={classes.cell}>
      <UnstyledButton
        className={classes.card}
        onClick={onChoose}
        disabled={hindrance !== null}
        aria-pressed={chosen}
        data-chosen={chosen || undefined}
        title={hindrance !== null ? texts.hindrances[hindrance].why : delayed ? texts.delayedWhy : undefined}
      >
        <span className={classes.head}>
          <VendorMark vendor={model.vendor} size={36} />
          <span className={classes.words}>
            <span className={classes.name}>{model.name}</span>
            <span className={classes.vendor}>{model.vendor}</span>
          </span>
          {model.status === 'deprecated' && (
            <Badge flex="none" size="sm" variant="light" color="yellow" tt="none">
              {texts.deprecated}
            </Badge>
          )}
        </span>
        <Hint mih="2.9em" lineClamp={2}>
          {model.description}
        </Hint>
        <span className={classes.features}>
          {features.slice(0, FEATURES_SHOWN).map((feature) => (
            <span key={feature}>{featureLabel(feature)}</span>
          ))}
          {features.length > FEATURES_SHOWN && <span>+{features.length - FEATURES_SHOWN}</span>}
        </span>
        <span className={classes.foot}>
          <span className="figures">
            {texts.from} <b>{formatMoney(model.pricing.from)}</b>
          </span>
          <Group component="span" gap={10} wrap="nowrap">
            {hindrance === null && typical !== null && texts.speed(typical.p50)}
            {hindrance !== null ? (
              <Mark tone="quiet">{texts.hindrances[hindrance].word}</Mark>
            ) : delayed ? (
              <Mark tone="busy">{texts.delayed}</Mark>
            ) : (
              model.availability.live && <Mark tone="good">{texts.live}</Mark>
            )}
          </Group>
        </span>
      </UnstyledButton>
      <Link
        href={`/models/${model.model_id}`}
        className={classes.about ?? ''}
        aria-label={modelTexts.aboutOf(model.name)}
      >
        <IconInfoCircle size={20} stroke={1.6} aria-hidden="true" />
      </Link>
    </div>
  );
}
