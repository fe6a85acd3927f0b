import type { Part, Step } from '../../model/drawing.ts';
import type { Brush } from '../../model/stage.ts';
import type { Tones } from './figure-tones.ts';
import { type Posture, pointsOf } from './gait.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Ratio of a leg's length to its standing height, so that it never locks. */
const SLACK = 1.03;
/** Point about which a body turns, in the drawing's box. */
export const BODY_MIDDLE = { x: 50, y: 62 } as const;

/**
 * Paints a leg, and the shoe or hoof below it: as drawn at rest, or bent at the knee between hip and foot in a posture.
 */
export function paintLeg(brush: Brush, part: Part, step: Step, posture: Posture | null, tones: Tones): void {
  const points = pointsOf(part.path);
  const rest = { hip: points[0]!, foot: points.at(-1)! };
  const moved = posture?.footOf(step.leg);
  if (moved === null) return;
  const bent = posture === null || moved === undefined ? points : bendLeg(rest, step, posture, moved);
  brush.strokeStyle = tones[part.line ?? 'main'].plain;
  brush.lineWidth = part.width ?? 1;
  brush.beginPath();
  bent.forEach(({ x, y }, index) => {
    if (index === 0) brush.moveTo(x, y);
    else brush.lineTo(x, y);
  });
  brush.stroke();
  if (step.shoe === undefined) return;
  const foot = bent.at(-1)!;
  const { tone, back, front, width } = step.shoe;
  // The toe hangs while the foot is in the air.
  const tilt = Math.min(0.7, Math.max(0, rest.foot.y - foot.y) * 0.045);
  brush.save();
  brush.translate(foot.x, foot.y + 1);
  brush.rotate(tilt);
  brush.strokeStyle = tones[tone].plain;
  brush.lineWidth = width;
  brush.beginPath();
  brush.moveTo(-back, 0);
  brush.lineTo(front, 0);
  brush.stroke();
  brush.restore();
}

function bendLeg(
  rest: { readonly hip: Point; readonly foot: Point },
  step: Step,
  posture: Posture,
  moved: Point,
): Point[] {
  const hip = withBody(rest.hip, posture);
  const half = (Math.hypot(rest.foot.x - rest.hip.x, rest.foot.y - rest.hip.y) * SLACK) / 2;
  const x = rest.foot.x + moved.x - hip.x;
  const y = rest.foot.y + moved.y - hip.y;
  const far = Math.hypot(x, y);
  const short = Math.min(1, (half * 2) / far);
  const foot = { x: hip.x + x * short, y: hip.y + y * short };
  const out = Math.sqrt(Math.max(0, half * half - ((far * short) / 2) ** 2)) * bendOf(step);
  const knee = { x: (hip.x + foot.x) / 2 + (y / far) * out, y: (hip.y + foot.y) / 2 - (x / far) * out };
  return [hip, knee, foot];
}

/** Returns the direction of a knee: hind legs and those of birds bend backward. */
function bendOf({ leg, bend }: Step): number {
  return bend ?? (leg.startsWith('hind') ? -1 : 1);
}

/** Moves a point of the body as the body dips and turns. */
function withBody({ x, y }: Point, { dip, pitch }: Posture): Point {
  const [dx, dy] = [x - BODY_MIDDLE.x, y - BODY_MIDDLE.y];
  const [cos, sin] = [Math.cos(pitch), Math.sin(pitch)];
  return { x: BODY_MIDDLE.x + dx * cos - dy * sin, y: BODY_MIDDLE.y + dx * sin + dy * cos + dip };
}
