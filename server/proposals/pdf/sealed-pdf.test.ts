import { verifyCertificates } from '@groundwork/sdk'
import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { testApp, type Caller } from '../../testing/app.ts'
import { pdfAttachments } from '../../testing/pdf-text.ts'
import { acceptProposal } from '../answer.ts'

/** `npm run test:full` sets 50. */
const count = Number(process.env['SEALED_PDFS'] ?? 10)
/** PDFs that are created while the ones before are verified. */
const batchSize = 10
const { organization, app } = await testApp()
const folder = await mkdtemp(join(tmpdir(), 'groundwork-sealed-'))
afterAll(() => rm(folder, { recursive: true }))
const run = promisify(execFile)

const items = [
  { description: 'E-bike, three days', quantity: '12', unitPrice: '105.50', discountPercent: '10', taxes: [{ name: 'VAT', rate: '19' }] },
  { description: 'Guided tour (lake) / 世', unitPrice: '350.00', taxRate: '7', optional: true },
  { description: 'Helmets', quantity: '3', quantityRange: { min: '1', max: '9' }, unitPrice: '4.25', taxRate: '19' },
]

interface NamedFile {
  readonly name: string
  readonly content: Buffer
}

interface SealedPdf {
  readonly file: NamedFile
  /** Copies with one changed byte each. */
  readonly damaged: readonly NamedFile[]
  /** Of the completed proposal. */
  readonly contentHash: string
}

/** Returns the sealed PDF of a proposal whose recipient chose the option and a quantity that depend on the number. */
async function completed({ call, ctx, token }: Caller, contactId: string, number: number): Promise<SealedPdf> {
  const { status, body } = await call('POST', '/v1/proposals', {
    title: `Three days of bicycles, ${number}`,
    contactId,
    currency: 'EUR',
    items,
  })
  expect([status, body]).toEqual([201, body])
  const choices = { lines: number % 2 === 0 ? [1] : [], quantities: { 2: String(1 + (number % 9)) } }
  const signature = { name: 'Ada King', drawing: null, wording: 'I accept.', contentHash: body.contentHash, choices }
  await acceptProposal(ctx, body.recipients[0].id.slice(-36), signature, { address: '192.0.2.7', userAgent: null })
  const { rawPayload } = await app.inject({ url: `/v1/proposals/${body.id}/pdf`, headers: { authorization: `Bearer ${token}` } })
  const proposal = await call('GET', `/v1/proposals/${body.id}`)
  return {
    file: { name: `${number}-valid.pdf`, content: rawPayload },
    damaged: positions(rawPayload, number).map((at) => ({ name: `${number}-${at}.pdf`, content: changed(rawPayload, at, number) })),
    contentHash: proposal.body.contentHash,
  }
}

/** Returns positions in every part of the file: evenly spread, in each attachment, and in all of the seal. */
function positions(pdf: Buffer, number: number): number[] {
  const seal = pdf.lastIndexOf('/ByteRange')
  const contents = pdf.indexOf('/Contents <', seal) + 11
  const attachments = ['/EmbeddedFile', '/AF', 'certificate.json', 'proposal.json'].map((text) => pdf.indexOf(text) + 2)
  const spread = (from: number, to: number, steps: number): number[] =>
    Array.from({ length: steps }, (_, step) => from + Math.floor(((step + (number % 10) / 10) * (to - from)) / steps))
  return [
    ...spread(0, pdf.length, 16),
    ...attachments,
    ...spread(seal, contents, 6),
    ...spread(contents, contents + 5400, 30),
    pdf.length - 1,
  ]
}

function changed(pdf: Buffer, at: number, number: number): Buffer {
  const copy = Buffer.from(pdf)
  copy[at] = (copy[at] ?? 0) ^ (1 << ((at + number) % 8))
  return copy
}

const python = spawnSync('python3', ['-c', 'import cryptography']).status === 0
const pdfsig = ['/usr/bin/pdfsig', '/usr/local/bin/pdfsig', '/opt/homebrew/bin/pdfsig'].find(existsSync)

/** Returns the names that the example in Python finds faulty. */
async function faultyByPython(files: readonly NamedFile[]): Promise<Set<string>> {
  const paths = await Promise.all(
    files.map(async ({ name, content }) => {
      await writeFile(join(folder, name), content)
      return join(folder, name)
    }),
  )
  const script = join(import.meta.dirname, '../../../examples/verify-pdfs.py')
  const { stdout, stderr } = await run('python3', [script, ...paths]).catch((error: { stdout: string; stderr: string }) => error)
  expect(stderr).toBe('')
  await Promise.all(paths.map((path) => rm(path)))
  return new Set(Array.from(stdout.matchAll(/\/([^/\n]+\.pdf): /g), ([, name = '']) => name))
}

async function checkBySdk({ file, damaged, contentHash }: SealedPdf): Promise<void> {
  const valid = await verifyCertificates([file])
  expect(valid.filter(({ holds }) => holds !== true).map(({ check }) => check)).toEqual(['key'])
  expect(valid.map(({ check }) => check)).toEqual([
    'format',
    'canonical',
    'content',
    'signature',
    'key',
    'signers',
    'totals',
    'seal',
    'pdf',
  ])
  const [offer = '', certificate = ''] = pdfAttachments(file.content)
  const hash = createHash('sha256').update(offer).digest('hex')
  expect([hash, hash]).toEqual([contentHash, JSON.parse(certificate).certificate.contentHash])
  const checks = await verifyCertificates(damaged)
  const named = new Set(checks.filter(({ holds }) => holds === false).map(({ file: name }) => name))
  expect(damaged.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([])
}

/** Checks several PDFs in one process, because starting Python takes longer than checking a PDF. */
async function checkByPython(sealed: readonly SealedPdf[]): Promise<void> {
  const damaged = sealed.flatMap((each) => each.damaged)
  const faulty = await faultyByPython([...sealed.map(({ file }) => file), ...damaged])
  expect(faulty).toEqual(new Set(damaged.map(({ name }) => name)))
}

async function checkByPoppler(program: string, { file: { name, content } }: SealedPdf): Promise<void> {
  const path = join(folder, `poppler-${name}`)
  await writeFile(path, content)
  expect((await run(program, ['-nocert', path])).stdout).toMatch(/Total document signed\n[^]*Signature is Valid/)
  await rm(path)
}

/** Checks the PDFs with every verifier that is installed. */
async function checkByAll(sealed: readonly SealedPdf[]): Promise<void> {
  const byPython = python ? checkByPython(sealed) : null
  await Promise.all([byPython, ...sealed.map(checkBySdk), ...sealed.map((each) => pdfsig !== undefined && checkByPoppler(pdfsig, each))])
}

describe(`${count} PDFs of proposals with options and quantities that the recipient chose`, () => {
  it('are valid, and one changed byte anywhere is named by both verifiers', { timeout: 900_000 }, async () => {
    const caller = await organization()
    const contact = await caller.call('POST', '/v1/contacts', { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' })
    const createAll = async (numbers: readonly number[]): Promise<SealedPdf[]> => {
      const created: SealedPdf[] = []
      for (const number of numbers) created.push(await completed(caller, contact.body.id, number))
      return created
    }
    let tried = 0
    let checked = Promise.resolve()
    for (let first = 0; first < count; first += batchSize) {
      const numbers = Array.from({ length: Math.min(batchSize, count - first) }, (_, at) => first + at)
      const [sealed] = await Promise.all([createAll(numbers), checked])
      tried += sealed.reduce((sum, { damaged }) => sum + damaged.length, 0)
      checked = checkByAll(sealed)
    }
    await checked
    expect(tried).toBeGreaterThan(count * 50)
  })

  it('are refused with bytes after the seal, without a seal, and with another offer', async () => {
    const caller = await organization()
    const contact = await caller.call('POST', '/v1/contacts', { email: 'ada@example.com' })
    const { content: pdf } = (await completed(caller, contact.body.id, 1)).file
    const failing = async (content: Uint8Array) =>
      (await verifyCertificates([{ name: 'a.pdf', content }])).flatMap(({ check, holds, detail }) =>
        holds === false ? [`${check}: ${detail}`] : [],
      )
    expect(await failing(Buffer.concat([pdf, Buffer.from('\n')]))).toEqual([
      'seal: The seal does not cover the whole file: something was added or removed after it.',
    ])
    const unsealed = pdf.subarray(0, pdf.lastIndexOf('%%EOF', pdf.lastIndexOf('/ByteRange')) + 6)
    expect(await failing(unsealed)).toEqual([
      'seal: The PDF has no seal, or the seal is damaged. There is no proof that the pages are unchanged.',
    ])
    const changedPage = Buffer.from(pdf)
    changedPage.write('9', pdf.indexOf('/CreationDate (D:') + 19)
    expect(await failing(changedPage)).toEqual(['seal: The file was changed after it was sealed.'])
  })
})
