import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { SourceError } from '../../lib/errors.ts'
import { createExtractor } from './extractor.ts'

const unexpected: object[] = []
const log = { debug: () => undefined, error: (fields: object) => void unexpected.push(fields) }
const extractor = createExtractor({ workers: 1, log })
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

it.each(documents)('%s, damaged, is read or refused with a reason', async (fileName) => {
  const bytes = readFileSync(join(folder, fileName))
  for (const [, damage] of damages) {
    const outcome = await extractor.extract({ bytes: damage(bytes), fileName }).catch((error: unknown) => error)
    if (outcome instanceof Error) expect(outcome).toBeInstanceOf(SourceError)
  }
  expect(unexpected).toEqual([])
})

function withWrongBytes(bytes: Buffer, every: number): Buffer {
  const damaged = Buffer.from(bytes)
  // The first bytes tell the kind of the file.
  for (let at = 64; at < damaged.length; at += every) damaged[at] = (at * 2_654_435_761) >>> 24
  return damaged
}
