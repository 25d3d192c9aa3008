import type { ProposalSection, ProposalSectionInput } from '@groundwork/api'
import type { Selectable } from 'kysely'
import { select } from '../../context.ts'
import type { ProposalFileTable, Transaction } from '../../db/schema.ts'
import type { FileContext } from '../../files/context.ts'
import { enqueueStoredFileDeletion, storeFile } from '../../files/stored-files.ts'
import { uploadedImage, uploadedPdf, type UploadedFile } from '../../files/uploaded-file.ts'
import { AppError } from '../../lib/errors.ts'
import { requireMarkdown } from '../../lib/markdown.ts'

/** Maximum size of the files of a proposal, so that its PDF fits into an email. */
const maxBytes = 10_000_000
/** Maximum size of the decoded images of a proposal: 30 megapixels of photos. The renderer decodes all of them. */
const maxDecodedBytes = 120_000_000

type FileRow = Selectable<ProposalFileTable>
type FileSectionInput = Extract<ProposalSectionInput, { type: 'image' | 'attachment' }>
type FileSection = Extract<ProposalSection, { type: 'image' | 'attachment' }>

const isOfFile = <T extends { type: string }>(section: T): section is Extract<T, { type: 'image' | 'attachment' }> =>
  section.type === 'image' || section.type === 'attachment'

/** Sections whose files were read and checked, but not stored yet. */
export interface PreparedSections {
  readonly sections: readonly ProposalSection[]
  readonly added: readonly { readonly file: UploadedFile; readonly field: string }[]
}

/**
 * Reads and checks the files of new sections. Takes the time that images take to decode, so call it before the transaction.
 * @param proposalId the draft with further files; null for a new proposal
 * @throws AppError `validation_error` with the field; `unavailable` if images cannot be checked
 */
export async function prepareSections(
  ctx: FileContext,
  inputs: readonly ProposalSectionInput[],
  proposalId: string | null,
): Promise<PreparedSections> {
  const known = proposalId !== null && inputs.some(isOfFile) ? await filesOf(ctx, proposalId) : []
  const added: { file: UploadedFile; field: string }[] = []
  const sections: ProposalSection[] = []
  for (const [index, input] of inputs.entries()) {
    const field = `sections.${index}`
    if ('text' in input) requireMarkdown(input.text, `${field}.text`)
    if (!isOfFile(input)) {
      sections.push(input)
    } else if (input.storageUrl !== undefined) {
      const file = await readFile(ctx, input, input.storageUrl, `${field}.storageUrl`)
      added.push({ file, field: `${field}.storageUrl` })
      sections.push(sectionOf(input, { ...file, sizeBytes: file.bytes.length, width: file.size?.width, height: file.size?.height }))
    } else {
      sections.push(sectionOf(input, knownFile(known, input, `${field}.sha256`)))
    }
  }
  requireLimits(sections, added, known)
  return { sections, added }
}

const readFile = (ctx: FileContext, { type }: FileSectionInput, storageUrl: string, field: string): Promise<UploadedFile> =>
  type === 'image' ? uploadedImage(ctx, { storageUrl, field, maxBytes }) : uploadedPdf(ctx, { storageUrl, field, maxBytes })

interface FileFacts {
  readonly sha256: string
  readonly mediaType: FileSection['mediaType']
  readonly sizeBytes: number
  readonly width?: number | undefined
  readonly height?: number | undefined
}

function sectionOf(input: FileSectionInput, { sha256, mediaType, sizeBytes, width = 0, height = 0 }: FileFacts): FileSection {
  if (input.type === 'image' && mediaType !== 'application/pdf')
    return { type: 'image', alt: input.alt, sha256, mediaType, sizeBytes, width, height }
  if (input.type === 'attachment' && mediaType === 'application/pdf')
    return { type: 'attachment', name: input.name, sha256, mediaType, sizeBytes }
  throw new Error(`A section of type ${input.type} has a file of type ${mediaType}.`)
}

function knownFile(known: readonly FileRow[], { type, sha256 }: FileSectionInput, field: string): FileFacts {
  const row = known.find((file) => file.sha256 === sha256 && (file.media_type === 'application/pdf') === (type === 'attachment'))
  if (row === undefined) throw new AppError('validation_error', 'The draft has no such file. Upload it and give its storageUrl.', { field })
  return { sha256: row.sha256, mediaType: row.media_type, sizeBytes: row.size_bytes, width: row.width ?? 0, height: row.height ?? 0 }
}

function requireLimits(sections: readonly ProposalSection[], added: PreparedSections['added'], known: readonly FileRow[]): void {
  const sizes = new Map(sections.filter(isOfFile).map(({ sha256, sizeBytes }) => [sha256, sizeBytes]))
  const decoded = new Map([
    ...known.map((row): [string, number] => [row.sha256, row.decoded_bytes ?? 0]),
    ...added.map(({ file }): [string, number] => [file.sha256, file.decodedBytes ?? 0]),
  ])
  const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, each) => total + each, 0)
  if (sum(sizes.values()) > maxBytes)
    throw new AppError('validation_error', `The files of a proposal can have at most ${maxBytes / 1_000_000} MB in all.`, {
      field: 'sections',
    })
  if (sum([...sizes.keys()].map((sha256) => decoded.get(sha256) ?? 0)) > maxDecodedBytes)
    throw new AppError('validation_error', 'The images of a proposal can have at most 30 megapixels in all.', { field: 'sections' })
}

const filesOf = (ctx: FileContext, proposalId: string): Promise<FileRow[]> =>
  select(ctx, (db) => db.selectFrom('proposal_file').selectAll().where('proposal_id', '=', proposalId))

/**
 * Makes the files of a locked proposal those of its sections: stores new ones and deletes others.
 * @throws AppError `validation_error` if an upload or a file was deleted meanwhile
 */
export async function replaceFiles(
  ctx: FileContext,
  trx: Transaction,
  proposalId: string,
  { sections, added }: PreparedSections,
): Promise<void> {
  const before = await trx.selectFrom('proposal_file').selectAll().where('proposal_id', '=', proposalId).execute()
  const needed = new Set(sections.filter(isOfFile).map(({ sha256 }) => sha256))
  const present = new Set(before.map(({ sha256 }) => sha256).filter((sha256) => needed.has(sha256)))
  for (const { file, field } of added) {
    if (present.has(file.sha256)) continue
    present.add(file.sha256)
    const stored = await storeFile(ctx, trx, file, field)
    await trx
      .insertInto('proposal_file')
      .values({
        organization_id: ctx.organizationId,
        proposal_id: proposalId,
        sha256: file.sha256,
        upload_id: stored.uploadId,
        storage_key: stored.key,
        media_type: file.mediaType,
        size_bytes: file.bytes.length,
        width: file.size?.width ?? null,
        height: file.size?.height ?? null,
        decoded_bytes: file.decodedBytes,
        created_at: ctx.now(),
      })
      .execute()
  }
  if (present.size < needed.size)
    throw new AppError('validation_error', 'A file of the draft was removed meanwhile.', { field: 'sections' })
  await removeFiles(
    ctx,
    trx,
    before.filter(({ sha256 }) => !needed.has(sha256)),
  )
}

/** Deletes all files of proposals, from the storage too once the transaction is committed. */
export async function removeAllFiles(ctx: FileContext, trx: Transaction, proposalIds: readonly string[]): Promise<void> {
  await removeFiles(ctx, trx, await trx.selectFrom('proposal_file').selectAll().where('proposal_id', 'in', proposalIds).execute())
}

async function removeFiles(ctx: FileContext, trx: Transaction, files: readonly FileRow[]): Promise<void> {
  for (const { proposal_id, sha256 } of files)
    await trx.deleteFrom('proposal_file').where('proposal_id', '=', proposal_id).where('sha256', '=', sha256).execute()
  await enqueueStoredFileDeletion(
    ctx,
    trx,
    files.map(({ upload_id, storage_key }) => ({ uploadId: upload_id, key: storage_key })),
  )
}

/** Gives a new proposal the files of a locked one. Both refer to the same stored files. */
export async function copyFiles(trx: Transaction, from: string, to: string): Promise<void> {
  const files = await trx.selectFrom('proposal_file').selectAll().where('proposal_id', '=', from).execute()
  if (files.length === 0) return
  await trx
    .insertInto('proposal_file')
    .values(files.map((file) => ({ ...file, proposal_id: to })))
    .execute()
}
