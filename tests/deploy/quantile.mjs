/** The value below which this part of them lies: 0.5 gives the one in the middle, 1 the greatest. */
export function quantile(values, part) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
}
