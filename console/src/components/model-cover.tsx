import { IconMovie, IconPhoto } from '@tabler/icons-react';
import type { CatalogModel } from '../api/model.ts';
import classes from './model-cover.module.css';
import { gradientOf } from './vendor-mark.tsx';

/** A picture that a model made here; without one, the kind of thing that it makes. */
export function ModelCover({
  model,
  src,
}: {
  readonly model: Pick<CatalogModel, 'type' | 'vendor'>;
  readonly src: string | undefined;
}) {
  if (src !== undefined) return <img className={classes.cover} src={src} alt="" loading="lazy" />;
  const Icon = model.type === 'image' ? IconPhoto : IconMovie;
  return (
    <span className={classes.cover} style={{ background: gradientOf(model.vendor) }}>
      <Icon size={34} stroke={1.2} aria-hidden="true" />
    </span>
  );
}
