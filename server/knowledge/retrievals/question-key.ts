import { createHash } from 'node:crypto'

/** Hexadecimal, 16 bytes: the same for questions that differ in capitals, white space, forms of characters, or marks at their end. */
export function questionKey(question: string): string {
  const plain = question
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/^[\s\p{P}]+|[\s\p{P}]+$/gu, '')
  return createHash('sha256').update(plain).digest('hex').slice(0, 32)
}
