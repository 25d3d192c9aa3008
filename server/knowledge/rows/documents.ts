import type { Selectable, Updateable } from 'kysely'
import { withTransaction, type Context } from '../../context.ts'
import { defer } from '../../db/deferred.ts'
import { exceedsQuota } from '../../db/quota-error.ts'
import type { DocumentTable, SourceTable, Transaction } from '../../db/schema.ts'
import { enqueueFileDeletion } from '../uploads/delete-files.ts'
import { Superseded, updateFenced, type Attempt } from './attempt.ts'

export type Document = Selectable<DocumentTable>

/** Selects document 0 of a generation: the document of a source that has one, or the record of a site. */
export const selectFirstDocument = (trx: Transaction, generation: number) =>
  trx.selectFrom('document').selectAll().where('generation', '=', generation).where('ordinal', '=', 0)

/** The fields of the live document, or of the one that is being read, in the source's record. */
const shown = ['content_hash', 'bytes', 'media_type', 'pages', 'language', 'title', 'canonical_url', 'warnings', 'video'] as const

export function shownOf(document: Updateable<DocumentTable>): Updateable<SourceTable> {
  return Object.fromEntries(shown.flatMap((column) => (document[column] === undefined ? [] : [[column, document[column]]])))
}

/**
 * Stores metadata that the attempt found.
 * @throws Superseded
 */
export async function updateDocument(
  trx: Transaction,
  attempt: Attempt,
  { ordinal }: Document,
  changes: Updateable<DocumentTable>,
): Promise<Document> {
  const source = await updateFenced(trx, attempt, {})
  const shownChanges = shownOf(changes)
  if (source.live_generation === null && Object.keys(shownChanges).length > 0)
    await defer(trx, trx.updateTable('source').set(shownChanges).where('id', '=', source.id).compile())
  return trx
    .updateTable('document')
    .set(changes)
    .where('generation', '=', attempt.generation)
    .where('ordinal', '=', ordinal)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns the storage key of a file of the document: every generation has files of its own. */
export function fileKey({ organizationId, sourceId, generation }: Attempt, kind: 'originals' | 'contents', { ordinal }: Document): string {
  return `${organizationId}/${kind}/${sourceId}-${generation}${ordinal === 0 ? '' : `-${ordinal}`}`
}

/**
 * Stores a file of the document and refers to it in `column`, in place of the previous file.
 * @throws Superseded or AppError `quota_exceeded`, after deleting the file again
 */
export async function keepFile(
  attempt: Attempt,
  document: Document,
  column: 'original_key' | 'content_key',
  file: { key: string; bytes: Uint8Array },
  changes: Updateable<DocumentTable>,
): Promise<Document> {
  const { ctx } = attempt
  await ctx.storage.write(file.key, file.bytes)
  try {
    return await withTransaction(ctx, async (trx) => {
      const kept = await updateDocument(trx, attempt, document, { ...changes, [column]: file.key })
      if (document[column] !== file.key) await enqueueFileDeletion(ctx, trx, [document[column]])
      return kept
    })
  } catch (error) {
    if (error instanceof Superseded || exceedsQuota(error)) await ctx.storage.delete(file.key)
    throw error
  }
}

/** Deletes documents of a source, of one generation or all; a job deletes their files. */
export async function deleteDocuments(ctx: Context, trx: Transaction, sourceId: string, generation?: number): Promise<void> {
  let query = trx.deleteFrom('document').where('source_id', '=', sourceId)
  if (generation !== undefined) query = query.where('generation', '=', generation)
  await enqueueFileDeletion(ctx, trx, (await query.returning(files).execute()).flatMap(keysOf))
}

/** Deletes all of a generation but its origin, for a retry: the URL or the upload of document 0. A job deletes the files. */
export async function deleteAllButOrigin(ctx: Context, trx: Transaction, generation: number): Promise<void> {
  const pages = await trx.deleteFrom('document').where('generation', '=', generation).where('ordinal', '>', 0).returning(files).execute()
  const origin = await selectFirstDocument(trx, generation).executeTakeFirst()
  // The other files of the origin can be made or fetched again.
  const made = { content_key: null, ...(origin?.upload_id === null && { original_key: null }) }
  await defer(trx, trx.updateTable('document').set(made).where('generation', '=', generation).compile())
  const ofOrigin = [origin?.content_key ?? null, origin?.upload_id === null ? origin.original_key : null]
  await enqueueFileDeletion(ctx, trx, [...pages.flatMap(keysOf), ...ofOrigin])
}

const files = ['original_key', 'content_key'] as const
const keysOf = ({ original_key, content_key }: Pick<Document, (typeof files)[number]>): (string | null)[] => [original_key, content_key]
