/** The lamp of the darkroom. */
export function BrandMark({ size = 26 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="9" fill="#231813" />
      <circle cx="16" cy="16" r="8.5" fill="#ff7440" />
      <path d="M7.500 16h17a8.500 8.500 0 0 1-17 0z" fill="#7c1d0a" />
    </svg>
  );
}
