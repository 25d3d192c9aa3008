import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { isPdf, pdfAttachments } from './pdf-attachments.ts'

const content = Buffer.from('{"certificate":{"name":"Zoë"}}')

/** Returns an object of a PDF with an embedded file. */
const embedded = (entries: string, bytes: Uint8Array, end = '\nendstream\nendobj\n'): Buffer =>
  Buffer.concat([
    Buffer.from(`7 0 obj\n<< /Type /EmbeddedFile /Subtype /application#2Fjson ${entries} >>\nstream\n`),
    bytes,
    Buffer.from(end),
  ])

const pdf = (...objects: Buffer[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    Buffer.concat([Buffer.from('%PDF-1.7\n%\xe2\xe3\n1 0 obj\n<< /Names << /EmbeddedFiles 2 0 R >> >>\nendobj\n', 'latin1'), ...objects]),
  )

const textsIn = async (...objects: Buffer[]): Promise<string[]> =>
  (await pdfAttachments(pdf(...objects))).map((bytes) => Buffer.from(bytes).toString('utf8'))

describe('pdfAttachments', () => {
  const packed = deflateSync(content)

  test.each([
    ['without a filter', embedded(`/Length ${content.length}`, content)],
    ['packed', embedded(`/Filter /FlateDecode /Length ${packed.length}`, packed)],
    ['with a list of filters and parameters', embedded(`/Params << /Size 9 >> /Filter [ /FlateDecode ] /Length ${packed.length}`, packed)],
    ['with its length in another object', embedded('/Filter /FlateDecode /Length 9 0 R', packed)],
    ['with a wrong length', embedded('/Filter /FlateDecode /Length 3', packed)],
    ['with line ends of two bytes', embedded(`/Length ${content.length}`, content, '\r\nendstream\r\nendobj\r\n')],
  ])('finds a file %s', async (_name, object) => expect(await textsIn(object)).toEqual([content.toString()]))

  test('finds several in the order of the file', async () => {
    const other = Buffer.from('other')
    expect(await textsIn(embedded(`/Length ${content.length}`, content), embedded('/Length 5', other))).toEqual([
      content.toString(),
      'other',
    ])
  })

  test('leaves out damaged, unknown and enormous ones', async () => {
    const bomb = deflateSync(Buffer.alloc(20_000_000))
    const damaged = Buffer.from(packed).fill(0, 4, 12)
    expect(
      await textsIn(
        embedded(`/Filter /FlateDecode /Length ${damaged.length}`, damaged),
        embedded(`/Filter /LZWDecode /Length ${content.length}`, content),
        embedded(`/Filter /FlateDecode /Length ${bomb.length}`, bomb),
        Buffer.from('8 0 obj\n<< /Type /EmbeddedFile >>\nendobj\n'),
      ),
    ).toEqual([])
  })
})

test('a PDF is recognized by its header', () => {
  expect([isPdf(pdf()), isPdf(content)]).toEqual([true, false])
})
