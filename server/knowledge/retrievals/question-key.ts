import { createHash } from 'node:crypto'
import { plainText } from '../../lib/plain-text.ts'

/** Hexadecimal, 16 bytes: the same for questions that differ in capitals, white space, forms of characters, or marks at their end. */
export function questionKey(question: string): string {
  const bare = plainText(question).replace(/^[\s\p{P}]+|[\s\p{P}]+$/gu, '')
  return createHash('sha256').update(bare).digest('hex').slice(0, 32)
}
