import { lightness, mix, withAlpha } from './colour.ts';
import { breakLines, strokeText } from './lettering.ts';
import type { Brush, Stage } from './stage.ts';

/** Paints what the prompt has in quotation marks, as large as the frame allows, above the horizon. */
export function paintLettering(brush: Brush, stage: Stage, text: string): void {
  const lines = breakLines(text).map(strokeText);
  const widest = Math.max(...lines.map((line) => line.width), 0.5);
  const room = stage.frame.right * 2 * 0.82;
  const capital = Math.min(0.15, room / widest, (stage.frame.bottom * 0.34) / (lines.length * 1.5));
  const { palette, world } = stage.scene;
  const dark = world === 'space' || lightness(palette.sky[1]) < 0.62 || world === 'underwater';
  const ink = dark ? mix('#ffffff', palette.sun, 0.25) : mix(palette.shadow, '#101018', 0.3);
  const veil = dark ? withAlpha(mix(palette.shadow, '#000010', 0.4), 0.42) : withAlpha('#ffffff', 0.5);
  const top = stage.frame.bottom * 0.1;
  brush.lineCap = 'round';
  brush.lineJoin = 'round';
  lines.forEach((line, index) => {
    brush.save();
    brush.translate((-line.width * capital) / 2, top + index * capital * 1.5);
    brush.scale(capital, capital);
    brush.strokeStyle = veil;
    brush.lineWidth = 0.32;
    brush.stroke(line.path);
    brush.strokeStyle = ink;
    brush.lineWidth = 0.145;
    brush.stroke(line.path);
    brush.restore();
  });
}
