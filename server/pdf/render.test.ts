import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { packageFile } from '../lib/entry.ts'
import { Module } from '../lib/web-assembly.ts'
import { offerDocument } from '../testing/offer-document.ts'
import { createFontSet } from './font-set.ts'
import { fontFamilies } from './fonts.ts'
import { openRender } from './render.ts'
import { openTypst, typstFile } from './typst.ts'

const module = new Module(readFileSync(typstFile()))
const layout = readFileSync(packageFile('pdf/offer.typ'), 'utf8')

/** Returns the Latin font as a thread leaves it that has rendered a document. */
async function latin() {
  await openTypst(layout, module)
  const fonts = createFontSet()
  fonts.choose(new Set('A'), new Set(['en']))
  for (const { read } of fonts.sources().slice(0, 2)) read()
  return fonts.known()
}

it('removes a document from the memory of Typst, so that it cannot occur in the next one', async () => {
  const { render, reset, needsReplacement, memory } = await openRender(layout, module, await latin())
  const bytes = (): Buffer => Buffer.from(memory.buffer)
  const hash = (): string => createHash('sha256').update(bytes()).digest('hex')
  const secret = 'Confidential Falcon'
  const ofOther = offerDocument({
    message: secret,
    heading: secret,
    attachments: [{ name: 'secret.json', mediaType: 'application/json', description: secret, content: `{"title":"${secret}"}` }],
  })
  const initial = hash()
  const { bytes: expected } = await render(offerDocument())
  expect(hash()).not.toBe(initial)
  reset()
  expect(hash()).toBe(initial)

  expect(bytes().includes(secret)).toBe(false)
  await render(ofOther)
  expect([bytes().includes(secret), needsReplacement()]).toEqual([true, false])
  reset()
  expect([bytes().includes(secret), hash()]).toEqual([false, initial])

  const { bytes: actual } = await render(offerDocument())
  expect(Buffer.from(actual).equals(expected)).toBe(true)
  reset()

  const size = memory.buffer.byteLength
  await render({ ...ofOther, message: `${secret} ${'word '.repeat(20)}\n`.repeat(3_000) })
  expect(memory.buffer.byteLength).toBeGreaterThan(size)
  reset()
  expect(bytes().includes(secret)).toBe(false)
  expect(Buffer.from((await render(offerDocument())).bytes).equals(expected)).toBe(true)
})

it('has to be replaced after a document that needs another font', async () => {
  const { render, needsReplacement, knownFonts } = await openRender(layout, module, await latin())
  await render(offerDocument({ message: 'שלום' }))
  expect(needsReplacement()).toBe(true)
  expect(knownFonts().map(({ name, styles }) => [name, styles.toSorted()])).toEqual([
    ['Noto Sans', ['bold', 'regular']],
    ['Noto Sans Hebrew', ['regular']],
  ])
})

it('continues after documents in fonts that it knows', async () => {
  await openTypst(layout, module)
  const fonts = createFontSet()
  const samples = fontFamilies.map(({ sample }) => sample)
  fonts.choose(new Set(samples), new Set(['en']))
  for (const { read } of fonts.sources()) read()
  const { render, needsReplacement } = await openRender(layout, module, fonts.known())
  const text = samples.join(' ')
  const runs = [{ text }, { text, strong: true }, { text, emphasis: true }, { text, strong: true, emphasis: true }]
  const { warnings } = await render(
    offerDocument({ heading: text, sections: [{ type: 'text', title: text, blocks: [{ type: 'paragraph', runs }] }] }),
  )
  expect([warnings, needsReplacement()]).toEqual([[], false])
})
