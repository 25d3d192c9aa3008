/**
 * The words of a search, longest first: the first one drives the index and narrows most. A search that is all phone
 * number is one word of digits, without the trunk zero that an international number does not have.
 */
export function searchWords(query: string): string[] {
  const digits = query.replace(/\D/g, '')
  if (/^\+?[\d\s().\-/]+$/.test(query) && digits.length >= 5) return [digits.replace(/^0+(?=\d)/, '')]
  return [...new Set(query.toLowerCase().split(/\s+/u))].filter((word) => word !== '').toSorted((a, b) => b.length - a.length)
}
