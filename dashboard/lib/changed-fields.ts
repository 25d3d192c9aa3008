/** Returns the fields whose JSON differs from that before, so that a request leaves alone what others have changed meanwhile. */
export function changedFields<T extends object>(values: T, before: { [K in keyof T]?: unknown }): Partial<T> {
  const isChanged = (key: keyof T): boolean => JSON.stringify(values[key]) !== JSON.stringify(before[key])
  const entries = (Object.keys(values) as (keyof T)[]).filter(isChanged).map((key) => [key, values[key]])
  return Object.fromEntries(entries) as Partial<T>
}
