import { lighten, mix } from '../../model/colour.ts';
import type { Layer } from '../../model/layer.ts';
import { createRandom } from '../../model/random.ts';
import { type Brush, fillBox, type Stage } from '../../model/stage.ts';

const CELL = 0.25;

/** Lists the layers of quarter circles, discs, triangles and bars on a grid, in the picture's own colours. */
export function geometricLayers(stage: Stage, colours: readonly string[]): Layer[] {
  const { seed, prompt, motion } = stage.scene;
  const paper = lighten(colours[5] ?? '#f4efe2', 0.4);
  const inks = [colours[2], colours[4], colours[0], colours[3], mix(colours[2] ?? '#888888', paper, 0.5)];
  const draw = (brush: Brush, time: number): void => {
    brush.fillStyle = paper;
    fillBox(brush, stage.seen);
    const columns = [Math.floor(stage.seen.left / CELL), Math.ceil(stage.seen.right / CELL)] as const;
    for (let column = columns[0]; column < columns[1]; column++) {
      for (let row = Math.floor(stage.seen.top / CELL); row * CELL < stage.seen.bottom; row++) {
        const random = createRandom(seed, 'geometry', prompt, column, row);
        const pair = [random.pick(inks), random.pick(inks)];
        brush.save();
        brush.translate((column + 0.5) * CELL, (row + 0.5) * CELL);
        brush.scale(CELL, CELL);
        brush.rotate((Math.floor(random.between(0, 4)) * Math.PI) / 2);
        const turn = random.chance(0.3) ? Math.sin(time * 0.6 + column + row) * 0.5 * motion : 0;
        paintTile(brush, Math.floor(random.between(0, 7)), pair, turn);
        brush.restore();
      }
    }
  };
  return [{ depth: 0.3, moving: stage.duration > 0, draw }];
}

/** Paints one cell: width 1, centred on the origin. */
function paintTile(brush: Brush, kind: number, [ground, ink]: readonly (string | undefined)[], turn: number): void {
  if (kind === 0) return;
  brush.fillStyle = ground ?? '#888888';
  if (kind < 4) brush.fillRect(-0.5, -0.5, 1.004, 1.004);
  brush.fillStyle = ink ?? '#444444';
  brush.rotate(turn);
  brush.beginPath();
  if (kind === 1 || kind === 4) {
    brush.moveTo(-0.5, -0.5);
    brush.arc(-0.5, -0.5, 1, 0, Math.PI / 2);
  } else if (kind === 2 || kind === 5) brush.arc(0, 0, 0.4, 0, Math.PI * 2);
  else if (kind === 3) {
    brush.moveTo(-0.5, 0.5);
    brush.lineTo(0.5, 0.5);
    brush.lineTo(0.5, -0.5);
  } else for (const bar of [-0.42, -0.14, 0.14]) brush.rect(-0.5, bar, 1, 0.14);
  brush.fill();
}
