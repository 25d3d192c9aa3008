import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createExtractor } from './extractor.ts'

const extractor = createExtractor({ workers: 1 })
afterAll(() => extractor.close())

const folder = join(import.meta.dirname, '../../../e2e/documents')
const documents = readdirSync(folder).filter((name) => name.startsWith('lockers.'))

/** Damages that occur: a file cut short, and one with wrong bytes. */
const damages: readonly [name: string, damage: (bytes: Buffer) => Buffer][] = [
  ['cut to a half', (bytes) => bytes.subarray(0, bytes.length >> 1)],
  ['cut by a tenth', (bytes) => bytes.subarray(0, Math.floor(bytes.length * 0.9))],
  ['with a hole', (bytes) => Buffer.from(bytes).fill(0, bytes.length >> 2, (bytes.length >> 2) + (bytes.length >> 4))],
  ['with wrong bytes', (bytes) => withWrongBytes(bytes, 40)],
  ['with many wrong bytes', (bytes) => withWrongBytes(bytes, 7)],
]

it.each(documents)('%s, damaged, is read or refused with the reason', async (fileName) => {
  const bytes = readFileSync(join(folder, fileName))
  const outcomes: string[] = []
  for (const [name, damage] of damages) {
    const outcome = await extractor.extract({ bytes: damage(bytes), fileName }).then(
      () => 'read',
      (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error)),
    )
    if (!/^(?:read|corrupt_file|unsupported_type|empty_content|encrypted_file|too_large)$/.test(outcome))
      outcomes.push(`${name}: ${outcome}`)
  }
  expect(outcomes).toEqual([])
})

function withWrongBytes(bytes: Buffer, every: number): Buffer {
  const damaged = Buffer.from(bytes)
  // The first bytes tell the kind of the file.
  for (let at = 64; at < damaged.length; at += every) damaged[at] = (at * 2_654_435_761) >>> 24
  return damaged
}
