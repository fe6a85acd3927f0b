import { lightness, mix, withAlpha } from '../model/colour.ts';
import type { Brush, Stage } from '../model/stage.ts';
import { breakLines, strokeText } from './lettering.ts';

const SIGN = /\b(sign|signboard|board|door|shop|cafe|café|store|bar|pub|station)\b/i;

/**
 * Letters the prompt's text in quotation marks, as large as the frame allows: on a hanging sign if the prompt mentions
 * one, else on a banner.
 */
export function paintLettering(brush: Brush, stage: Stage, text: string): void {
  const lines = breakLines(text).map(strokeText);
  const widest = Math.max(...lines.map((line) => line.width), 0.5);
  const room = stage.frame.right * 2 * 0.7;
  const capital = Math.min(0.13, room / widest, (stage.frame.bottom * 0.3) / (lines.length * 1.5));
  const top = stage.frame.bottom * 0.11;
  const plate: Plate = {
    half: (widest * capital) / 2 + capital * 0.75,
    top: top - capital * 0.6,
    bottom: top + (lines.length * 1.5 - 0.5) * capital + capital * 0.6,
    capital,
  };
  const ink = SIGN.test(stage.scene.prompt) ? paintSign(brush, stage, plate) : paintBanner(brush, stage, plate);
  brush.lineCap = 'round';
  brush.lineJoin = 'round';
  brush.strokeStyle = ink;
  lines.forEach((line, index) => {
    brush.save();
    brush.translate((-line.width * capital) / 2, top + index * capital * 1.5);
    brush.scale(capital, capital);
    brush.lineWidth = 0.16;
    brush.stroke(line.path);
    brush.restore();
  });
}

interface Plate {
  readonly half: number;
  readonly top: number;
  readonly bottom: number;
  readonly capital: number;
}

/** Paints a board on two ropes. @returns the colour of its letters. */
function paintSign(brush: Brush, stage: Stage, { half, top, bottom, capital }: Plate): string {
  const wood = mix('#8a5a36', stage.scene.palette.shadow, 0.2);
  brush.strokeStyle = mix('#c9b48a', stage.scene.palette.shadow, 0.3);
  brush.lineWidth = capital * 0.09;
  brush.beginPath();
  for (const x of [-half * 0.8, half * 0.8]) {
    brush.moveTo(x, stage.seen.top);
    brush.lineTo(x, top);
  }
  brush.stroke();
  castShadow(brush, { half, top, bottom, capital });
  brush.fillStyle = wood;
  brush.beginPath();
  brush.roundRect(-half, top, half * 2, bottom - top, capital * 0.25);
  brush.fill();
  brush.strokeStyle = mix(wood, '#f6e7c4', 0.55);
  brush.lineWidth = capital * 0.07;
  brush.beginPath();
  const inset = capital * 0.16;
  brush.roundRect(-half + inset, top + inset, (half - inset) * 2, bottom - top - inset * 2, capital * 0.18);
  brush.stroke();
  return '#fbf1da';
}

/** Paints a ribbon with folded ends. @returns the colour of its letters. */
function paintBanner(brush: Brush, stage: Stage, { half, top, bottom, capital }: Plate): string {
  const { accent, shadow } = stage.scene.palette;
  const cloth = lightness(accent) > 0.72 ? accent : mix(accent, '#fdf6e6', 0.12);
  const drop = capital * 0.34;
  brush.fillStyle = mix(cloth, shadow, 0.35);
  for (const side of [-1, 1]) {
    brush.beginPath();
    brush.moveTo(side * half * 0.94, top + drop);
    brush.lineTo(side * (half + capital * 0.9), top + drop);
    brush.lineTo(side * (half + capital * 0.5), (top + bottom) / 2 + drop);
    brush.lineTo(side * (half + capital * 0.9), bottom + drop);
    brush.lineTo(side * half * 0.94, bottom + drop);
    brush.fill();
  }
  castShadow(brush, { half, top, bottom, capital });
  brush.fillStyle = cloth;
  brush.fillRect(-half, top, half * 2, bottom - top);
  brush.fillStyle = withAlpha('#ffffff', 0.16);
  brush.fillRect(-half, top, half * 2, (bottom - top) * 0.12);
  return lightness(cloth) > 0.62 ? '#2a2433' : '#fffaf0';
}

function castShadow(brush: Brush, { half, top, bottom, capital }: Plate): void {
  brush.fillStyle = withAlpha('#14101f', 0.22);
  brush.fillRect(-half + capital * 0.08, top + capital * 0.12, half * 2, bottom - top);
}
