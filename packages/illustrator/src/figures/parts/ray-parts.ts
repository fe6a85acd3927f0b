export const rays = (from: number, to: number, count: number, turned: number): string =>
  Array.from({ length: count }, (_, ray) => {
    const turn = ((ray + turned) / count) * Math.PI * 2;
    const at = (distance: number): string =>
      `${(50 + Math.cos(turn) * distance).toFixed(1)} ${(50 + Math.sin(turn) * distance).toFixed(1)}`;
    return `M${at(from)} L${at(to)}`;
  }).join(' ');
