import { createHash } from 'node:crypto'
import { normalizeText } from '../../lib/normalize-text.ts'

/** Returns a 16-byte key in hexadecimal that is equal for questions that differ in case, white space, Unicode form or final punctuation. */
export function questionKey(question: string): string {
  const bare = normalizeText(question).replace(/^[\s\p{P}]+|[\s\p{P}]+$/gu, '')
  return createHash('sha256').update(bare).digest('hex').slice(0, 32)
}
