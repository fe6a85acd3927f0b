import type { ComparedOrder } from '@darkroom-service/contract/task';
import { Badge, Group, UnstyledButton } from '@mantine/core';
import { IconInfoCircle, IconMovie, IconPhoto } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { CatalogModel } from '../../api/model.ts';
import { formatMoney } from '../../components/money.tsx';
import { Mark } from '../../components/status-mark.tsx';
import { gradientOf } from '../../components/vendor-mark.tsx';
import { studioTexts } from '../../texts/studio.ts';
import type { Hindrance } from './filter-models.ts';
import classes from './model-card.module.css';

const texts = studioTexts.model;

/** One model of the gallery. */
export function ModelCard({
  model,
  chosen,
  hindrance,
  delayed,
  asSet,
  picture,
  onChoose,
}: {
  readonly model: CatalogModel;
  readonly chosen: boolean;
  /** Why it cannot be ordered; null if it can. */
  readonly hindrance: Hindrance | null;
  /** Whether orders of it wait for its upstream. */
  readonly delayed: boolean;
  /** What an order costs with the values that are set; undefined while that is not known. */
  readonly asSet: ComparedOrder | undefined;
  /** What it made here. */
  readonly picture: string | undefined;
  readonly onChoose: () => void;
}) {
  const { typical_seconds: typical } = model;
  const refusal = asSet?.refusal ?? null;
  return (
    <div className={classes.cell}>
      <UnstyledButton
        className={classes.card}
        onClick={onChoose}
        disabled={hindrance !== null}
        aria-pressed={chosen}
        data-chosen={chosen || undefined}
        title={
          hindrance !== null
            ? texts.hindrances[hindrance].why
            : (refusal?.message ?? (delayed ? texts.delayedWhy : undefined))
        }
      >
        <Cover model={model} src={picture} />
        <span className={classes.head}>
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
        <span className={classes.foot}>
          <span className="figures">
            {asSet?.quote == null ? (
              <>
                {texts.from} <b>{formatMoney(model.pricing.from)}</b>
              </>
            ) : (
              <b>{formatMoney(asSet.quote.amount)}</b>
            )}
          </span>
          <Group component="span" gap={10} wrap="nowrap">
            {hindrance === null && refusal === null && typical !== null && texts.speed(typical.p50)}
            {hindrance !== null ? (
              <Mark tone="quiet">{texts.hindrances[hindrance].word}</Mark>
            ) : refusal !== null ? (
              <Mark tone="quiet">{texts.notAsSet}</Mark>
            ) : (
              delayed && <Mark tone="busy">{texts.delayed}</Mark>
            )}
          </Group>
        </span>
      </UnstyledButton>
      <Link href={`/models/${model.model_id}`} className={classes.about ?? ''} aria-label={`About ${model.name}`}>
        <IconInfoCircle size={20} stroke={1.6} aria-hidden="true" />
      </Link>
    </div>
  );
}

/** A picture that a model made here; without one, the kind of thing that it makes. */
function Cover({ model: { type, vendor, supported_features: features }, src }: CoverProps) {
  if (src !== undefined) return <img className={classes.cover} src={src} alt="" loading="lazy" />;
  const [Icon, further] = type === 'image' ? [IconPhoto, 'image_edit'] : [IconMovie, 'audio'];
  return (
    <span className={classes.cover} style={{ background: gradientOf(vendor) }}>
      <Icon size={30} stroke={1.2} aria-hidden="true" />
      {texts.makes[type][features.includes(further) ? 'more' : 'plain']}
    </span>
  );
}

interface CoverProps {
  readonly model: CatalogModel;
  readonly src: string | undefined;
}
