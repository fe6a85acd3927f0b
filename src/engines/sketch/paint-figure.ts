import { mix } from './colour.ts';
import type { Figure } from './scene.ts';
import { type Brush, groundY, type Stage, worldX } from './stage.ts';

/** A figure at its place. */
export function paintFigure(brush: Brush, stage: Stage, figure: Figure, time: number): void {
  const x = worldX(stage, figure.x);
  const y = figure.where === 'air' ? figure.y * stage.horizon : groundY(stage, figure.y) + Math.sin(time) * 0.004;
  brush.fillStyle = mix(figure.colour ?? stage.scene.palette.accent, stage.scene.palette.shadow, 0.1);
  brush.beginPath();
  brush.ellipse(x, y - figure.size / 2, figure.size * 0.3, figure.size / 2, 0, 0, Math.PI * 2);
  brush.fill();
}
