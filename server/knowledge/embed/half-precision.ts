/** Returns the value of an IEEE 754 half-precision number. */
export function halfToFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 31
  const fraction = bits & 1023
  if (exponent === 0) return sign * fraction * 2 ** -24
  if (exponent === 31) return fraction === 0 ? sign * Infinity : Number.NaN
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}

const maxHalf = 65_504

/** Returns the bits of the nearest IEEE 754 half-precision number; numbers beyond its range become the largest one. */
export function floatToHalf(value: number): number {
  const sign = value < 0 ? 0x8000 : 0
  const size = Math.min(Math.abs(value), maxHalf)
  const exponent = Math.max(Math.floor(Math.log2(size)), -14)
  // Counted in steps of the exponent; 1024 steps more than fit carry over into the next exponent.
  const steps = Math.round(size / 2 ** (exponent - 10))
  return sign | (((exponent + 14) << 10) + steps)
}
