import { mix, withAlpha } from '../../model/colour.ts';
import { chanceAt } from '../../model/random.ts';
import { type Brush, fillBox, type Stage, vertical } from '../../model/stage.ts';
import type { Ridge } from './paint-ridges.ts';

const BANKS = 6;

/** Clouds seen from above: several banks, one in front of the other, down to the lower edge. */
export function paintCloudBanks(brush: Brush, stage: Stage, { seed }: Ridge): void {
  const { palette } = stage.scene;
  for (let bank = 0; bank < BANKS; bank++) {
    const near = bank / (BANKS - 1);
    const y = stage.horizon + (stage.frame.bottom - stage.horizon) * near * 0.95;
    const radius = 0.035 + near * 0.11;
    const lit = mix(mix(palette.sky[3], palette.haze, 0.5 - near * 0.4), '#ffffff', 0.25 + near * 0.35);
    const under = mix(mix(lit, palette.haze, 0.55), palette.shadow, 0.1 + near * 0.12);
    brush.fillStyle = vertical(brush, y - radius * 1.3, y + radius * 2.2, [lit, under]);
    brush.beginPath();
    const step = radius * 1.05;
    for (let heap = Math.floor(stage.seen.left / step) - 2; heap * step < stage.seen.right + radius * 2; heap++) {
      const size = radius * (0.55 + 0.75 * chanceAt(seed, 'heap', bank, heap));
      const x = (heap + chanceAt(seed, 'x', bank, heap)) * step;
      brush.moveTo(x + size, y);
      brush.arc(x, y, size, 0, Math.PI * 2);
    }
    brush.rect(stage.seen.left, y, stage.seen.right - stage.seen.left, stage.seen.bottom - y);
    brush.fill();
  }
  brush.fillStyle = withAlpha(palette.sun, 0.08);
  fillBox(brush, { ...stage.seen, top: stage.horizon });
}
