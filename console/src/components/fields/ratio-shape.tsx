const BOX = 14;

/** A ratio such as `16:9` with its shape before it; words such as `auto` stand alone. */
export function RatioShape({ ratio }: { readonly ratio: string }) {
  const [width, height] = ratio.split(':').map(Number);
  if (width === undefined || height === undefined || !(width > 0) || !(height > 0)) return <span>{ratio}</span>;
  const scale = BOX / Math.max(width, height);
  const [w, h] = [Math.max(3, width * scale), Math.max(3, height * scale)];
  return (
    <span style={{ display: 'inline-flex', gap: 7, alignItems: 'center' }}>
      <svg width={BOX + 2} height={BOX + 2} aria-hidden="true">
        <rect
          x={(BOX + 2 - w) / 2}
          y={(BOX + 2 - h) / 2}
          width={w}
          height={h}
          rx={1.5}
          fill="none"
          stroke="currentColor"
          strokeWidth={1.4}
        />
      </svg>
      {ratio}
    </span>
  );
}
