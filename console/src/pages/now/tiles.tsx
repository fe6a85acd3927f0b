import { Link } from 'wouter';
import classes from '../../components/records.module.css';
import { Mark } from '../../components/status-mark.tsx';
import { operationsTexts } from '../../texts/operations.ts';
import type { Tile } from './seen-tile.ts';

/** How every part of the service does, each with the way to its cause. */
export function Tiles({ tiles }: { readonly tiles: readonly Tile[] }) {
  return (
    <section aria-label={operationsTexts.line.label}>
      <ul className={classes.line}>
        {tiles.map(({ name, tone, says, href }) => (
          <li key={name} className={classes.lineItem} data-tone={tone}>
            <Link href={href} className={classes.linePart ?? ''}>
              <Mark tone={tone}>{name}</Mark>
              <span className={classes.lineSays}>{says}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
