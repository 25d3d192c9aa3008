/** Normalizes case, white space and Unicode compatibility forms (NFKC), for comparisons. */
export const normalizeText = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
