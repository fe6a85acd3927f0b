import { lighten, lightness, mix } from '../../model/colour.ts';
import { createRandom } from '../../model/random.ts';
import type { Brush, Stage } from '../../model/stage.ts';

const PETAL_RINGS = [1, 0.74, 0.5] as const;
const INKS = ['#c8553d', '#2f6690', '#588157', '#8d5a97', '#c98a1b', '#287271'];

/**
 * Paints a rosette of petals for a prompt that names nothing else to show: without it, the picture would be an empty
 * sheet.
 */
export function paintRosette(brush: Brush, stage: Stage, middle: number, radius: number, ground: string): void {
  const random = createRandom(stage.scene.seed, 'rosette', stage.scene.prompt);
  const inks = inksOn(ground, [random.pick(INKS), random.pick(INKS), random.pick(INKS)]);
  const petals = Math.floor(random.between(6, 13));
  brush.save();
  brush.translate(0, middle);
  PETAL_RINGS.forEach((share, ring) => {
    const long = radius * share;
    const wide = ((long * Math.PI) / petals) * random.between(0.55, 0.95);
    brush.fillStyle = inks[ring] ?? ground;
    for (let petal = 0; petal < petals; petal++) {
      brush.save();
      brush.rotate(((petal + ring * 0.5) * Math.PI * 2) / petals);
      brush.beginPath();
      brush.moveTo(0, 0);
      brush.quadraticCurveTo(wide, -long * 0.6, 0, -long);
      brush.quadraticCurveTo(-wide, -long * 0.6, 0, 0);
      brush.fill();
      brush.restore();
    }
  });
  brush.fillStyle = lighten(ground, lightness(ground) > 0.5 ? 0.1 : -0.1);
  brush.beginPath();
  brush.arc(0, 0, radius * 0.13, 0, Math.PI * 2);
  brush.fill();
  brush.restore();
}

/** Paints a card's frame, with a rosette in its middle. */
export function paintCard(brush: Brush, stage: Stage, ground: string): void {
  const { right, bottom } = stage.frame;
  const [ink = ground] = inksOn(ground, [createRandom(stage.scene.seed, 'card', stage.scene.prompt).pick(INKS)]);
  const edge = Math.min(right * 2, bottom) * 0.07;
  brush.strokeStyle = ink;
  for (const [inset, width] of [
    [edge, 0.012],
    [edge * 1.35, 0.005],
  ] as const) {
    brush.lineWidth = width;
    brush.beginPath();
    brush.roundRect(-right + inset, inset, (right - inset) * 2, bottom - inset * 2, edge * 0.5);
    brush.stroke();
  }
  paintRosette(brush, stage, bottom / 2, Math.min(right, bottom / 2) * 0.52, ground);
}

/** Makes colours stand out from a ground, whether it is light or dark. */
function inksOn(ground: string, colours: readonly string[]): string[] {
  const toward = lightness(ground) > 0.5 ? '#2a2230' : '#fff6e0';
  return colours.map((colour, index) => mix(colour, toward, 0.1 + index * 0.2));
}
