import { Path2D } from '@napi-rs/canvas';
import { withAlpha } from '../../model/colour.ts';
import type { Drawing } from '../../model/drawing.ts';
import type { Brush, Stage } from '../../model/stage.ts';
import { lightPlace } from '../sky/paint-sky.ts';
import { isDark } from './figure-tones.ts';
import type { Placement } from './placement.ts';

/** Paints the shadow of a standing figure: as wide as its footing, away from the light. */
export function paintShadow(brush: Brush, stage: Stage, place: Placement, drawing: Drawing): void {
  const light = lightPlace(stage);
  const away = light === null ? 0 : Math.max(-0.5, Math.min(0.5, (place.x - light.x) * 0.5));
  const { middle, half } = footing(drawing);
  brush.fillStyle = withAlpha(
    stage.scene.palette.shadow,
    stage.scene.world === 'room' ? 0.36 : isDark(stage) ? 0.22 : 0.28,
  );
  brush.beginPath();
  brush.ellipse(
    place.x + (middle * place.scaleX + away * 0.3) * place.size,
    place.y + place.leap,
    (half + Math.abs(away) * 0.3) * place.size,
    place.size * 0.045,
    0,
    0,
    Math.PI * 2,
  );
  brush.fill();
}

interface Footing {
  /** Distance from the figure's middle, in fractions of its height. */
  readonly middle: number;
  readonly half: number;
}

const footings = new WeakMap<Drawing, Footing>();

/** Measures the footing of a drawing: the parts that reach its lower edge. */
function footing(drawing: Drawing): Footing {
  const known = footings.get(drawing);
  if (known !== undefined) return known;
  let left = 50;
  let right = 50;
  for (const { path } of drawing.parts) {
    const [x0, , x1, y1] = new Path2D(path).getBounds();
    if (y1 < 88) continue;
    left = Math.min(left, x0);
    right = Math.max(right, x1);
  }
  const found = {
    middle: ((left + right) / 2 - 50) / 100,
    half: Math.max(0.2, Math.min(1.1, ((right - left) / 200) * 1.08)),
  };
  footings.set(drawing, found);
  return found;
}
