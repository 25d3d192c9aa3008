/**
 * Returns a function that makes a value at its first call, and returns it again at each later one. Formatters of `Intl` take
 * milliseconds to make, which the first drawing of a page should not wait for.
 */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}
